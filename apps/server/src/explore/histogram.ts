const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Widths of a bar that a person can name. */
const widths = [15 * minute, hour, 6 * hour, day, 7 * day, 30 * day];
/** Three months have a bar for each day. */
const barsMax = 100;
/** The least that the bars cover: with a single page, the chart shows one thin bar at the end of six hours, not one that fills it. */
const spanMin = 6 * hour;

/** Numbers of contexts over time. */
export interface Histogram {
  /** When each bar begins, and at last when the last one ends, in milliseconds since the epoch. */
  starts: number[];
  /** Of a bar, in milliseconds. A day on which clocks change is an hour longer or shorter. */
  width: number;
  counts: number[];
}

export interface HistogramOptions {
  /** Contexts of a moment, in milliseconds since the epoch. */
  entries: ReadonlyArray<{ at: number; count: number }>;
  /** What it covers; by default what the entries do, and six hours at least. */
  since?: number | undefined;
  until?: number | undefined;
  /** The person's time zone, such as `Europe/Berlin`: bars begin at its full hours and days. */
  zone: string;
}

/** Puts moments into at most 100 bars of the narrowest width that covers them. */
export function toHistogram({ entries, since, until, zone }: HistogramOptions): Histogram {
  if (entries.length === 0) return { starts: [], width: day, counts: [] };
  let [first, last] = [Infinity, -Infinity];
  for (const { at } of entries) {
    first = Math.min(first, at);
    last = Math.max(last, at);
  }
  last = until === undefined ? last : until - 1;
  first = since ?? Math.min(first, last - spanMin);
  const { aheadAt, dayOf, startOfDay } = calendarOf(zone);
  const barsOf = (width: number) => {
    if (width < day) {
      const start = Math.floor((first + aheadAt(first)) / width) * width - aheadAt(first);
      return { bars: Math.floor((last - start) / width) + 1, startOf: (bar: number) => start + bar * width };
    }
    const days = width / day;
    const firstDay = Math.floor(dayOf(first) / days) * days;
    return { bars: Math.floor((dayOf(last) - firstDay) / days) + 1, startOf: (bar: number) => startOfDay(firstDay + bar * days) };
  };
  const month = 30 * day;
  const width = widths.find((each) => barsOf(each).bars <= barsMax) ?? Math.ceil((last - first + month) / barsMax / month) * month;
  const { bars, startOf } = barsOf(width);
  const starts = Array.from({ length: bars + 1 }, (_, bar) => startOf(bar));
  const startAt = (bar: number) => starts[bar] ?? 0;
  const counts = Array.from({ length: bars }, () => 0);
  for (const { at, count } of entries) {
    // A slot can begin before what is covered, and has contexts of it.
    let bar = Math.min(Math.max(Math.floor((at - startAt(0)) / width), 0), bars - 1);
    while (bar > 0 && at < startAt(bar)) bar--;
    while (bar < bars - 1 && at >= startAt(bar + 1)) bar++;
    counts[bar] = (counts[bar] ?? 0) + count;
  }
  return { starts, width, counts };
}

/** The days of a time zone, by their numbers since the epoch. */
function calendarOf(zone: string) {
  const format = offsetFormat(zone);
  /** Milliseconds that clocks are ahead of UTC at a moment. */
  const aheadAt = (at: number) => {
    const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(format.format(at)) ?? [];
    return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * hour + Number(minutes ?? 0) * minute);
  };
  const dayOf = (at: number) => Math.floor((at + aheadAt(at)) / day);
  // Of the clocks of the day before and of the day after: they may change on this day, even at midnight.
  const startOfDay = (number: number) =>
    Math.min(...[number - 1, number + 1].map((near) => number * day - aheadAt(near * day)).filter((at) => dayOf(at) >= number));
  return { aheadAt, dayOf, startOfDay };
}

/** A browser may name a zone that this server does not know: its days are those of UTC. */
function offsetFormat(zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
  } catch {
    return new Intl.DateTimeFormat("en", { timeZone: "UTC", timeZoneName: "longOffset" });
  }
}
