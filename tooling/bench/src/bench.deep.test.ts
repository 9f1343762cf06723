import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import { expect, test } from "vitest";

const testSet = {
  docs: ["lamp", "bread", "rope"].map((id) => ({ id, title: id, text: `A page about ${id} and nothing else.` })),
  queries: [{ id: "q", text: "the lamp" }],
  judgements: { q: { lamp: 1 } },
};

test("every benchmark runs to its table", async () => {
  await using directory = await temporaryDirectory("periscope-bench-");
  const [file, pages] = [join(directory.path, "set.json"), join(directory.path, "pages")];
  await writeFile(file, JSON.stringify(testSet));
  await mkdir(join(pages, "one"), { recursive: true });
  for (const name of ["source", "expected"])
    await writeFile(join(pages, "one", `${name}.html`), "<article><p>The keeper lights the lamp.</p></article>");
  const runs: Record<string, string[]> = {
    "batch-sync": ["--contexts", "1000", "--rounds", "1", "--seconds", "0.1"],
    "search-none": ["scale", "--sizes", "1000", "--samples", "2", "--out", join(directory.path, "scale.json")],
    "Periscope, PostgreSQL": ["relevance", file],
    html: ["privacy", "--rounds", "1", "--seconds", "0.01", "--chars", "10000"],
    Periscope: ["live", "--subscribers", "1", "--seconds", "0.2"],
    "capture (whole)": ["content", "--pages", pages],
    "export | import": ["data", "--contexts", "1000"],
    "key to screen": ["portal", "--contexts", "200"],
  };
  for (const [row, args] of Object.entries(runs)) {
    const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, "main.ts"), ...args]);
    expect(`\n${stdout}`).toContain(`\n${row}`);
  }
});
