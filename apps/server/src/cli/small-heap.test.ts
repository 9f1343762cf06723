import { describe, expect, it } from "vitest";
import { restartWithSmallHeap } from "./small-heap.js";

function restart(differences: Record<string, unknown> = {}): string[] | undefined {
  let restarted: string[] | undefined;
  const execve = (_file: string, args: readonly string[]) => void (restarted = [...args]);
  const argv = ["/usr/bin/node", "/app/cli.js", "serve", "--port", "1"];
  restartWithSmallHeap({ platform: "linux", execPath: "/usr/bin/node", execArgv: ["--cpu-prof"], argv, env: {}, execve, ...differences });
  return restarted;
}

describe("restarting with a small heap", () => {
  it("keeps Node's options and the command's words", () => {
    expect(restart()).toEqual([
      "/usr/bin/node",
      "--cpu-prof",
      "--max-semi-space-size=4",
      "--heap-growing-percent=25",
      "/app/cli.js",
      "serve",
      "--port",
      "1",
    ]);
  });

  it.each([
    ["the heap is sized by an option", { execArgv: ["--max-old-space-size=4096"] }],
    ["the heap is sized by NODE_OPTIONS", { env: { NODE_OPTIONS: "--max-semi-space-size=64" } }],
    ["it has been restarted", { execArgv: ["--max-semi-space-size=4", "--heap-growing-percent=25"] }],
    ["the system cannot", { platform: "win32" }],
    ["Node cannot", { execve: undefined }],
  ])("leaves the process as it is where %s", (_case, differences) => {
    expect(restart(differences)).toBeUndefined();
  });
});
