import { expect, test } from "vitest";
import type { ReadKind, ReadSide } from "../reads/kinds.ts";
import type { ReadResult, ScaleResults, SizeResult } from "../scale-results.ts";
import { aimRows } from "./aims.ts";
import { reportTables } from "./report-tables.ts";

function read(kind: ReadKind, side: ReadSide, p99: number): ReadResult {
  return { kind, side, samples: 200, failures: 0, p50: p99 / 2, p95: p99, p99 };
}

function size(contexts: number, perSecond: number, ms: number): SizeResult {
  const ingest = [{ contexts: 100, server: 100 / perSecond, floorRows: 0.1, floorIndex: 0.1 }];
  const reads = [
    read("current", "heavy", ms),
    read("search-rare", "heavy", ms),
    read("search-rare", "light", 6),
    read("search-rare", "light alone", 3),
  ];
  const memory = { server: 150, serverPeak: 200 };
  return {
    contexts,
    users: 3,
    ingest,
    settled: "waited",
    settleSeconds: 1,
    bytes: contexts * 20_000,
    memoryBefore: memory,
    memoryAfter: memory,
    reads,
    together: [],
  };
}

const results: ScaleResults = {
  at: "2026-11-21T00:00:00.000Z",
  machine: { cpu: "a processor", cores: 2, memoryGiB: 24, system: "Linux", node: "v24" },
  samples: 200,
  engines: [{ engine: "postgres", database: "PostgreSQL 18", sizes: [size(10_000, 600, 20), size(100_000, 500, 120)] }],
  peers: [{ peer: "joplin", version: "not installed", sizes: [] }],
};

test("aims are held against the largest size", () => {
  expect(aimRows(results).map(([aim, , text, verdict]) => `${aim}: ${text}, ${verdict}`)).toEqual([
    "search p99 of the heavy user under 100 ms: 120 ms (search-rare) at 100,000, missed",
    "search p99 of the light user at most 1.5 times that alone: 2.00 times (search-rare) at 100,000, missed",
    "current flat: 10 ms at 10,000, 60 ms at 100,000 (p50), missed",
    "history flat: – ms at 10,000, – ms at 100,000 (p50), missed",
    "history-deep flat: – ms at 10,000, – ms at 100,000 (p50), missed",
    "ingest at least 0.8 of that at 10,000: 0.83 of it at 100,000, met",
    "batch-sync at least 0.5 of a raw insert: 0.50 at 100,000; 1.00 of one with a tsvector, met",
  ]);
});

test("tables show every size and peer", () => {
  const text = reportTables(results).join("\n");
  expect(text).toContain("| PostgreSQL |  100,000 |        500 |           – |      1,000 |  0.50 |");
  expect(text).toContain("joplin: not installed");
});
