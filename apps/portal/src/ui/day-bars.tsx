import { useState } from "react";

/** Days of UTC, counted from the epoch, as a person reads them. */
const dayName = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", timeZone: "UTC" });

const formatUtcDay = (day: number): string => dayName.format(day * 86_400_000);

/** One layer of the bars: its colour, and its value on each day. */
export interface BarLayer {
  name: string;
  /** A class such as `bg-plot-1`. */
  color: string;
  values: readonly number[];
}

interface DayBarsProps {
  /** What is shown, for those who do not see it. */
  label: string;
  firstDay: number;
  layers: readonly BarLayer[];
  format: (value: number) => string;
}

/** Values of each day as bars, whose layers stand on each other. Pointing at a day tells its values. */
export function DayBars({ label, firstDay, layers, format }: DayBarsProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const days = layers[0]?.values.length ?? 0;
  const sums = Array.from({ length: days }, (_, index) => layers.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const most = Math.max(...sums, 1);
  const total = sums.reduce((sum, value) => sum + value, 0);
  const shown = pointed === null ? total : (sums[pointed] ?? 0);
  return (
    <figure aria-label={`${label}: ${format(total)} in ${days} days, ${format(Math.max(0, ...sums))} on the busiest.`}>
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 px-4">
        <span className="text-title leading-none font-bold tracking-tight tabular-nums">{format(shown)}</span>
        <span className="text-small text-muted tabular-nums">
          {pointed === null ? `in ${days} days` : `on ${formatUtcDay(firstDay + pointed)}`}
        </span>
        {total > 0 && <span className="ml-auto text-small text-muted tabular-nums">{format(most)} on the busiest day</span>}
      </p>
      <div className="relative mt-4 h-32 px-4" onPointerLeave={() => setPointed(null)}>
        <div className="pointer-events-none absolute inset-x-4 inset-y-0 flex flex-col justify-between" aria-hidden>
          {["top", "middle", "bottom"].map((line) => (
            <span key={line} className="block border-t border-line/70" />
          ))}
        </div>
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={firstDay}
          aria-valuemax={firstDay + days - 1}
          aria-valuenow={firstDay + (pointed ?? days - 1)}
          aria-valuetext={pointed === null ? `${format(total)} in ${days} days` : `${formatUtcDay(firstDay + pointed)}: ${format(shown)}`}
          onKeyDown={({ key }) => {
            if (key === "ArrowLeft") setPointed(Math.max(0, (pointed ?? days) - 1));
            else if (key === "ArrowRight") setPointed(Math.min(days - 1, (pointed ?? -1) + 1));
            else if (key === "Escape") setPointed(null);
          }}
          onBlur={() => setPointed(null)}
          className="relative flex h-full"
        >
          {sums.map((sum, index) => (
            <div
              key={firstDay + index}
              onPointerEnter={() => setPointed(index)}
              className={`flex h-full min-w-0 grow basis-0 flex-col justify-end px-px transition-opacity ${
                pointed === null || pointed === index ? "" : "opacity-40"
              }`}
            >
              <div
                className="mx-auto flex w-full max-w-7 flex-col-reverse overflow-hidden rounded-t-[3px]"
                style={{ height: sum === 0 ? 0 : `max(2px, ${(sum / most) * 100}%)` }}
              >
                {layers.map(({ name, color, values }) => (
                  <span key={name} className={`block shrink-0 ${color}`} style={{ height: `${((values[index] ?? 0) / sum) * 100}%` }} />
                ))}
              </div>
            </div>
          ))}
        </div>
      </div>
      <div className="mt-1.5 flex justify-between px-4 text-tiny text-muted tabular-nums">
        <span>{formatUtcDay(firstDay)}</span>
        <span>{formatUtcDay(firstDay + days - 1)}</span>
      </div>
      {layers.length > 1 && (
        <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 px-4 text-small">
          {layers.map(({ name, color, values }) => (
            <li key={name} className="flex items-center gap-1.5">
              <span className={`size-2 rounded-full ${color}`} />
              <span className="text-muted">{name}</span>
              <span className="font-medium tabular-nums">
                {format(pointed === null ? values.reduce((sum, value) => sum + value, 0) : (values[pointed] ?? 0))}
              </span>
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}
