import { sourceOf } from "./source-location.ts";

/** A CPU profile as Node writes it. Times are microseconds, of the system's monotonic clock. */
export interface CpuProfile {
  startTime: number;
  nodes: ReadonlyArray<{
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number };
  }>;
  samples: readonly number[];
  timeDeltas: readonly number[];
}

/** Time spent in a function itself, not in what it called. */
export interface SelfTime {
  name: string;
  /** Source file, package or part of Node. */
  place: string;
  /** Line in the place, from 1; 0 where there is none. */
  line: number;
  microseconds: number;
}

/** Part of a profile that counts, in microseconds of the system's monotonic clock. */
export interface ProfileWindow {
  from: number;
  to: number;
}

/** Self time of every function that was seen in `window`, most first; waiting for work is left out. */
export function selfTimes({ startTime, nodes, samples, timeDeltas }: CpuProfile, window?: ProfileWindow): SelfTime[] {
  const byNode = new Map<number, number>();
  let now = startTime;
  for (const [index, node] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0;
    now += delta;
    if (window === undefined || (now >= window.from && now <= window.to)) byNode.set(node, (byNode.get(node) ?? 0) + delta);
  }
  const functions = new Map<string, SelfTime>();
  for (const { id, callFrame } of nodes) {
    const microseconds = byNode.get(id) ?? 0;
    const name = callFrame.functionName === "" ? "(anonymous)" : callFrame.functionName;
    if (microseconds <= 0 || name === "(idle)") continue;
    // "(garbage collector)" and "(program)" stand for more than a function.
    const { place, line } = name.startsWith("(g") || name.startsWith("(p") ? { place: name, line: 0 } : sourceOf(callFrame);
    const key = `${name}\n${place}:${line}`;
    const known = functions.get(key);
    if (known === undefined) functions.set(key, { name, place, line, microseconds });
    else known.microseconds += microseconds;
  }
  return [...functions.values()].toSorted((a, b) => b.microseconds - a.microseconds);
}

/** Self times by place, most first. */
export function byPlace(times: readonly SelfTime[]): Array<{ place: string; microseconds: number }> {
  const places = new Map<string, number>();
  for (const { place, microseconds } of times) places.set(place, (places.get(place) ?? 0) + microseconds);
  return [...places].map(([place, microseconds]) => ({ place, microseconds })).toSorted((a, b) => b.microseconds - a.microseconds);
}
