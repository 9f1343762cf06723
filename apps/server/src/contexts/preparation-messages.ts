import type { FailedClosed, FilterRecipe } from "../privacy/privacy-filter.js";
import type { Capture } from "./capture.js";
import type { PreparedCapture } from "./prepared-capture.js";

/** Captures that a preparing thread is given, and those that give them work on as well. */
export interface PreparationJob {
  captures: readonly Capture[];
  /** A number for each capture in memory that all threads share: 0 until somebody has taken the capture. */
  claims: Int32Array;
  filter: FilterRecipe & { name: string };
}

/** What a preparing thread made of captures, by their places, or why it failed. Some of a job at a time, the rest with `done`. */
export type PreparationAnswer =
  | { prepared: ReadonlyArray<readonly [place: number, prepared: PreparedCapture]>; failures: readonly FailedClosed[]; done: boolean }
  | { error: Error };

/** Takes a capture: true for the one that comes first. */
export function claim(claims: Int32Array, place: number): boolean {
  return Atomics.compareExchange(claims, place, 0, 1) === 0;
}
