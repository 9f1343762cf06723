import { useSyncExternalStore } from "react";

const hour = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const day = new Intl.DateTimeFormat(undefined, { weekday: "short", month: "short", day: "numeric" });
const dayOfYear = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", year: "numeric" });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });

/** The time of day of a timestamp; its title says all of it. */
export function TimeOfDay({ at }: { at: string }) {
  return (
    <time dateTime={at} title={whole.format(new Date(at))} className="tabular-nums">
      {hour.format(new Date(at))}
    </time>
  );
}

const tickMs = 30_000;
const onTick = (tick: () => void) => {
  const timer = setInterval(tick, tickMs);
  return () => clearInterval(timer);
};

/** How long ago a timestamp is, as time goes by. */
export function Ago({ at }: { at: string }) {
  useSyncExternalStore(onTick, () => Math.floor(Date.now() / tickMs));
  return (
    <time dateTime={at} title={whole.format(new Date(at))} className="whitespace-nowrap tabular-nums">
      {formatAgo(new Date(at))}
    </time>
  );
}

/** "Today", "Yesterday" or the date, in the person's own time zone. */
export function formatDay(date: Date, now = new Date()): string {
  const days = Math.round((startOfDay(now).getTime() - startOfDay(date).getTime()) / 86_400_000);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  return (date.getFullYear() === now.getFullYear() ? day : dayOfYear).format(date);
}

/** Midnight before a moment, in the person's own time zone. */
export function startOfDay(date: Date): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate());
}

function formatAgo(date: Date): string {
  const seconds = (date.getTime() - Date.now()) / 1_000;
  if (seconds > -45) return "just now";
  if (seconds > -3_600) return relative.format(Math.round(seconds / 60), "minute");
  if (seconds > -86_400) return relative.format(Math.round(seconds / 3_600), "hour");
  if (seconds > -86_400 * 30) return relative.format(Math.round(seconds / 86_400), "day");
  return dayOfYear.format(date);
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** Date and time of a timestamp. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={whole.format(new Date(at))} className="tabular-nums">
      {moment.format(new Date(at))}
    </time>
  );
}
