import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findLongFiles } from "./file-lengths.ts";
import { runCommand } from "./run-command.ts";

test("names hand-written files over 400 lines, tracked or new, and no others", async () => {
  const root = await mkdtemp(join(tmpdir(), "periscope-lengths-"));
  try {
    await runCommand(["git", "init", "--quiet"], { cwd: root });
    const lines = (count: number) => "line\n".repeat(count);
    await writeFile(join(root, "long.ts"), lines(401));
    await writeFile(join(root, "fits.ts"), lines(400));
    await writeFile(join(root, "data.json"), lines(9_000));
    await writeFile(join(root, "ignored.ts"), lines(9_000));
    await writeFile(join(root, ".gitignore"), "ignored.ts\n");
    expect(await findLongFiles(root)).toBe("long.ts: 401 lines, at most 400");
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
