import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { renderTable } from "@periscope/harness/old-table";
import type { Reporter, TestModule } from "vitest/node";
import type { RowResult } from "./rows/row.ts";

/** What a row came to, and whether everything held. */
interface Line extends Partial<RowResult> {
  name: string;
  passed: boolean;
}

/** Prints the fault matrix at the end of a run: what was injected, and what was counted. Leaves it in `.cache/fault-matrix.json` as well. */
export class TableReporter implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const lines = modules
      .flatMap((module) => [...module.children.allTests()])
      .filter((test) => test.result().state !== "skipped" && test.project.name === "browser")
      .map((test): Line => ({ name: test.name, passed: test.result().state === "passed", ...test.meta().row }));
    if (lines.length === 0) return;
    lines.sort((one, other) => numberOf(one) - numberOf(other));
    console.log(`\n${tableOf(lines).join("\n")}\n`);
    const directory = join(import.meta.dirname, "../.cache");
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, "fault-matrix.json"), `${JSON.stringify(lines, null, 2)}\n`);
  }
}

const numberOf = ({ fault = "" }: Line): number => Number(fault.slice(1)) || 99;
const counts = ["kills", "messages", "losses", "duplicates"] as const;

function tableOf(lines: readonly Line[]): string[] {
  const cells = lines.map(({ fault = "", injected, name, passed, ms, ...line }) => [
    fault,
    injected ?? name,
    ...counts.map((count) => String(line[count] ?? "")),
    ms === undefined ? "" : (ms / 1_000).toFixed(1),
    passed ? "" : "FAILED",
  ]);
  const sums = counts.map((count) => String(lines.reduce((sum, line) => sum + (line[count] ?? 0), 0)));
  const columns = [
    { title: "row" },
    { title: "injected", minimum: 20 },
    ...[...counts, "s"].map((title) => ({ title, align: "right" as const })),
    { title: "" },
  ];
  return renderTable(columns, [...cells, ["", "together", ...sums]], 120);
}
