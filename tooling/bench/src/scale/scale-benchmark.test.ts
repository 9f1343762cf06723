import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import { expect, test } from "vitest";
import type { ScaleResults } from "./scale-results.ts";
import { runScale } from "./scale-benchmark.ts";

/** A store this small says nothing about the service; that all of it runs is what is tested. */
const size = 200;

test.each(process.env["TEST_DEEP"] === "1" ? ["sqlite", "postgres"] : ["sqlite"])(
  "a toy run on %s measures everything, and one in the same directory takes what is there",
  async (engine) => {
    await using directory = await temporaryDirectory("periscope-scale-test-");
    const out = join(directory.path, "results.json");
    const args = [
      "--engines",
      engine,
      "--sizes",
      String(size),
      "--samples",
      "1",
      "--seconds",
      "0.2",
      "--keep",
      directory.path,
      "--out",
      out,
    ];
    const printed: string[] = [];
    const run = () => runScale({ args, signal: AbortSignal.timeout(600_000), print: (text) => printed.push(text) }, () => undefined);
    await run();
    const results = JSON.parse(readFileSync(out, "utf8")) as ScaleResults;
    const [measured] = results.engines[0]!.sizes;
    expect(measured).toMatchObject({ contexts: size, users: 6 });
    expect(measured!.ingest).toHaveLength(4);
    // The light user has less than a page, and so no deep one.
    expect(measured!.reads).toHaveLength(5 * 8 - 3);
    expect(measured!.reads.filter(({ failures, p99 }) => failures > 0 || !(p99 > 0))).toEqual([]);
    expect(measured!.bytes).toBeGreaterThan(size * 5_000);
    expect(printed.join("\n")).toContain("8 clients at once");
    await run();
    expect((JSON.parse(readFileSync(out, "utf8")) as ScaleResults).engines).toEqual(results.engines);
  },
  600_000,
);
