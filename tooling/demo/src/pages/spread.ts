/** At most `max` of `items`, taken evenly from all of them, in order. */
export function spread<T>(items: readonly T[], max: number): T[] {
  const step = Math.max(1, items.length / max);
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step)).slice(0, max);
}

/** Every index below `count` once, widely spaced ones first: 0, `step`, 2 × `step`, …, then 1, 1 + `step`, … */
export function* strided(count: number, step: number): Generator<number> {
  for (let start = 0; start < step; start += 1) for (let index = start; index < count; index += step) yield index;
}
