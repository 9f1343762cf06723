import { renderTable } from "@periscope/harness/old-table";
import { byPlace, type SelfTime } from "./cpu-profile.ts";

const shown = 20;

/** One thread's time by place and by function, as shares of what it was not idle. */
export function profileTables(thread: string, times: readonly SelfTime[]): string {
  const total = times.reduce((sum, { microseconds }) => sum + microseconds, 0);
  const share = (microseconds: number) => `${((microseconds / total) * 100).toFixed(1)} %`;
  const places = byPlace(times)
    .slice(0, shown)
    .map(({ place, microseconds }) => [share(microseconds), place]);
  const functions = times
    .slice(0, shown)
    .map(({ name, place, line, microseconds }) => [share(microseconds), name, line === 0 ? place : `${place}:${line}`]);
  return [
    `${thread}: ${(total / 1e6).toFixed(2)} s of CPU time`,
    "",
    ...renderTable(
      [
        { title: "self", align: "right" },
        { title: "place", minimum: 20 },
      ],
      places,
    ),
    "",
    ...renderTable(
      [
        { title: "self", align: "right" },
        { title: "function", minimum: 20 },
        { title: "place", minimum: 20 },
      ],
      functions,
    ),
  ].join("\n");
}
