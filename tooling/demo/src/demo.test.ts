import { readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runDemo } from "./demo.ts";
import { temporaryDirectory } from "./server/temporary-directory.ts";
import { widthOf } from "./show/text-width.ts";

/** Runs the demo over a folder of handbook pages; `onOutput` hears everything that is printed. */
async function demoOver(subjects: readonly string[], onOutput: (text: string, stop: AbortController) => void) {
  await using folder = await temporaryDirectory("periscope-handbook-");
  for (const subject of subjects) {
    const text = `<p>How ${subject} are looked after, and what to do when ${subject} fail.</p>`.repeat(10);
    writeFileSync(join(folder.path, `${subject}.html`), `<title>Handbook about ${subject} maintenance</title>${text}`);
  }
  const stop = new AbortController();
  return await runDemo({ folder: folder.path, output: { write: (text) => onOutput(text, stop) }, signal: stop.signal });
}

const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith("periscope-demo-"));

test("pages of a folder are synced and found again by a real server, of which nothing is left", async () => {
  const before = leftovers();
  let output = "";
  const failed = await demoOver(["bridges", "lanterns", "harbours"], (text) => (output += text));
  expect(failed).toBe(0);
  expect(output).toContain("Synced 3 pages in 1 requests, 0 failed.");
  expect(output.match(/^search: .* — \d+ found/gm)).toHaveLength(3);
  for (const subject of ["bridges", "lanterns", "harbours"]) {
    expect(output).toMatch(new RegExp(`^search: .*${subject}.*\\n.*\\n.*\\n1 +[01]\\.\\d\\d  Handbook about ${subject} maintenance$`, "m"));
  }
  expect(Math.max(...output.split("\n").map(widthOf))).toBeLessThanOrEqual(100);
  const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [""];
  await expect(fetch(`${address}/healthz`)).rejects.toThrow("fetch failed");
  expect(leftovers()).toEqual(before);
});

test("a demo that is stopped half way leaves nothing either", async () => {
  const before = leftovers();
  const stopped = demoOver(["bridges", "lanterns"], (text, stop) => {
    if (text.startsWith("Synced")) stop.abort(new Error("Stopped by SIGINT."));
  });
  await expect(stopped).rejects.toThrow("Stopped by SIGINT.");
  expect(leftovers()).toEqual(before);
});
