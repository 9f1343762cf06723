/**
 * Fails when `run(size)` costs the processor more than work in linear time does, compared with `run` on an eighth of `size`. What takes
 * less than 60 ms passes: take a size at which work in quadratic time would take far more.
 */
export function expectLinear(run: (size: number) => unknown, size: number): void;

/** Fails when `other` costs the processor three times as much as `run`, or more. What takes less than 60 ms passes. */
export function expectAlike(run: () => unknown, other: () => unknown): void;
