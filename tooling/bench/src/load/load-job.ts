import type { LoadTarget } from "./closed-loop.ts";

/** A load as the parent asks for it. */
export interface LoadJob extends LoadTarget {
  key: string;
  plan: ReadPlan | WritePlan;
}

/** GET requests, one path after the other, from the start again. */
export interface ReadPlan {
  kind: "read";
  paths: readonly string[];
}

/** Messages that create contexts, never the same twice. */
export interface WritePlan {
  kind: "write";
  path: string;
  perRequest: number;
  /** Number of the first message. */
  first: number;
  /** Capture time of message 0, milliseconds since the epoch. */
  epoch: number;
}
