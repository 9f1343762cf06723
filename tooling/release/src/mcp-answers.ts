import { once } from "node:events";
import { createInterface } from "node:readline";
import { killGroup, spawnGroup } from "./process-group.ts";

const timeoutMs = 60_000;

const initialize = {
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "install-check", version: "1" } },
};

/**
 * What goes wrong when a host starts `npx @periscope/mcp` in a project that has it installed, and asks what it is and which tools it has.
 * Nothing when it answers both.
 */
export async function findMcpProblem({ cwd, environment }: { cwd: string; environment: NodeJS.ProcessEnv }): Promise<string | undefined> {
  const child = spawnGroup("npx", ["--no-install", "@periscope/mcp"], { cwd, env: environment, stdio: ["pipe", "pipe", "pipe"] });
  const ended = once(child, "close");
  const timer = setTimeout(() => killGroup(child.pid), timeoutMs);
  let output = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  const say = (message: object) => child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  try {
    say({ id: 1, ...initialize });
    if (child.stdout === null) return "npx @periscope/mcp has no output.";
    for await (const line of createInterface({ input: child.stdout })) {
      output += `${line}\n`;
      const { id, result } = JSON.parse(line) as { id: number; result?: { tools?: { name: string }[] } };
      if (result === undefined) break;
      if (id === 2) return result.tools?.some(({ name }) => name === "get_current_context") ? undefined : `npx @periscope/mcp:\n${output}`;
      say({ method: "notifications/initialized" });
      say({ id: 2, method: "tools/list" });
    }
    return `npx @periscope/mcp did not answer initialize and tools/list:\n${output}`;
  } finally {
    clearTimeout(timer);
    child.stdin?.end();
    killGroup(child.pid);
    await ended;
  }
}
