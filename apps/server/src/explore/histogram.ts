const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Widths of a bar that a person can name. */
const widths = [15 * minute, hour, 6 * hour, day, 7 * day, 30 * day];
/** Three months have a bar for each day. */
const barsMax = 100;
/** The least that the bars cover: with a single page, the chart shows one thin bar at the end of six hours, not one that fills it. */
const spanMin = 6 * hour;

/** Numbers of contexts over time: of each stretch of `width` milliseconds from `start` on, which is in milliseconds since the epoch. */
export interface Histogram {
  start: number;
  width: number;
  counts: number[];
}

export interface HistogramOptions {
  /** Contexts of a moment, in milliseconds since the epoch. */
  entries: ReadonlyArray<{ at: number; count: number }>;
  /** What it covers; by default what the entries do, and six hours at least. */
  since?: number | undefined;
  until?: number | undefined;
  /** Minutes that the person's clock is ahead of UTC: bars begin at their full hours and days. */
  zone: number;
}

/** Puts moments into at most 100 bars of the narrowest width that covers them. */
export function toHistogram({ entries, since, until, zone }: HistogramOptions): Histogram {
  if (entries.length === 0) return { start: 0, width: day, counts: [] };
  let [first, last] = [Infinity, -Infinity];
  for (const { at } of entries) {
    first = Math.min(first, at);
    last = Math.max(last, at);
  }
  last = until === undefined ? last : until - 1;
  first = since ?? Math.min(first, last - spanMin);
  const ahead = zone * minute;
  const startFor = (width: number) => Math.floor((first + ahead) / width) * width - ahead;
  const barsFor = (width: number) => Math.floor((last - startFor(width)) / width) + 1;
  const month = 30 * day;
  const width = widths.find((each) => barsFor(each) <= barsMax) ?? Math.ceil((last - first + month) / barsMax / month) * month;
  const start = startFor(width);
  const counts = Array.from({ length: barsFor(width) }, () => 0);
  for (const { at, count } of entries) {
    const bar = Math.floor((at - start) / width);
    // A slot can begin before what is covered, and has contexts of it.
    const inside = Math.min(Math.max(bar, 0), counts.length - 1);
    counts[inside] = (counts[inside] ?? 0) + count;
  }
  return { start, width, counts };
}
