import { renderTable, type Column } from "@periscope/harness/old-table";
import type { ScenarioResult } from "../measure/rounds.ts";
import type { ProcessMemory } from "../measure/process-memory.ts";

const right = (title: string): Column => ({ title, align: "right" });
const columns: readonly Column[] = [
  { title: "scenario" },
  { title: "unit" },
  right("server"),
  right("floor"),
  right("ratio"),
  right("aim"),
  right("p50 ms"),
  right("p99 ms"),
  right("floor p50"),
  right("floor p99"),
];

/** The measured scenarios as lines under 100 columns. */
export function resultTable(results: readonly ScenarioResult[]): string {
  const rows = results.map(({ name, unit, server, floor, ratio, aim }) => [
    name,
    unit,
    rate(server.perSecond),
    rate(floor.perSecond),
    ratio.toFixed(2),
    aim === undefined ? "" : `${aim} ${ratio >= aim ? "met" : "missed"}`,
    time(server.p50),
    time(server.p99),
    time(floor.p50),
    time(floor.p99),
  ]);
  return renderTable(columns, rows).join("\n");
}

/** One line about the server's memory. */
export function memoryLine(when: string, memory: ProcessMemory | undefined): string {
  if (memory === undefined) return `Memory ${when}: not known on this system.`;
  return `Memory ${when}: ${memory.resident.toFixed(0)} MiB resident, ${memory.peak.toFixed(0)} MiB at its highest.`;
}

function rate(perSecond: number): string {
  return perSecond.toLocaleString("en-US", { maximumFractionDigits: perSecond < 100 ? 1 : 0 });
}

function time(milliseconds: number): string {
  return milliseconds.toFixed(milliseconds < 10 ? 2 : 0);
}
