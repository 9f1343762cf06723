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

/** A job as it is sent: with a number that its answers have, from 1 on. */
export type NumberedJob = PreparationJob & { job: number };

/**
 * What a preparing thread made of captures, by their places, or why it failed. Some of a job at a time, the rest with `done`. The first
 * answer of a thread is of no job: its number is 0, and it has started.
 */
export type PreparationAnswer = { job: number } & (
  | { prepared: ReadonlyArray<readonly [place: number, prepared: PreparedCapture]>; failures: readonly FailedClosed[]; done: boolean }
  | { error: Error }
);

/** Takes a capture: true for the one that comes first. */
export function claim(claims: Int32Array, place: number): boolean {
  return Atomics.compareExchange(claims, place, 0, 1) === 0;
}
