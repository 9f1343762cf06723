import { memo, useRef, useState } from "react";
import type { Outputs } from "../api.js";

type Buckets = NonNullable<Outputs["explore"]["search"]["histogram"]>;

const day = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const minute = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });

interface HistogramProps {
  buckets: Buckets | undefined;
  /** Called with the stretch of time that was chosen, in milliseconds since the epoch. */
  onBrush: (since: number, until: number) => void;
}

/** How many results there are over time. Dragging over it, or Enter on a bar, chooses a stretch of time. */
export const Histogram = memo(function Histogram({ buckets, onBrush }: HistogramProps) {
  const bars = useRef<HTMLDivElement>(null);
  const [brush, setBrush] = useState<{ from: number; to: number } | null>(null);
  const [reached, setReached] = useState(0);
  const { starts = [], width = 1, counts = [] } = buckets ?? {};
  const most = Math.max(1, ...counts);
  const format = width < 86_400_000 ? minute : day;
  const startOf = (index: number) => starts[index] ?? 0;
  const end = startOf(counts.length);
  const nameOf = (index: number) => format.format(startOf(index));
  const barAt = (clientX: number): number => {
    const { left = 0, width: room = 1 } = bars.current?.getBoundingClientRect() ?? {};
    return Math.min(counts.length - 1, Math.max(0, Math.floor(((clientX - left) / room) * counts.length)));
  };
  const choose = (one: number, other: number) => onBrush(startOf(Math.min(one, other)), startOf(Math.max(one, other) + 1));
  const isBrushed = (index: number) =>
    brush === null || (index >= Math.min(brush.from, brush.to) && index <= Math.max(brush.from, brush.to));

  // Tab stops here once, and arrows go from bar to bar.
  const stop = counts[reached] ? reached : counts.findIndex((count) => count > 0);
  const step = (by: 1 | -1) => {
    let next = stop + by;
    while (counts[next] === 0) next += by;
    if (counts[next] === undefined) return;
    setReached(next);
    bars.current?.querySelectorAll("button")[next]?.focus();
  };

  return (
    <figure className="px-4 pt-3 pb-2 select-none" aria-label="Results over time">
      <div
        ref={bars}
        className="flex h-14 cursor-crosshair touch-pan-y items-end"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setBrush({ from: barAt(event.clientX), to: barAt(event.clientX) });
        }}
        onPointerMove={(event) => brush && setBrush({ ...brush, to: barAt(event.clientX) })}
        onPointerUp={() => {
          if (brush) choose(brush.from, brush.to);
          setBrush(null);
        }}
        onPointerCancel={() => setBrush(null)}
      >
        {counts.map((count, index) => (
          <button
            key={startOf(index)}
            type="button"
            title={`${nameOf(index)}: ${count}`}
            aria-label={`${nameOf(index)}: ${count}. Show only these.`}
            disabled={count === 0}
            tabIndex={index === stop ? 0 : -1}
            // By keys, or by a screen reader; a pointer draws a stretch.
            onClick={({ detail }) => detail === 0 && choose(index, index)}
            onKeyDown={(event) => {
              if (event.key === "ArrowLeft") step(-1);
              else if (event.key === "ArrowRight") step(1);
            }}
            className="group flex h-full min-w-0 grow basis-0 cursor-crosshair items-end pr-px focus-visible:rounded-small"
          >
            <span
              className={`block w-full rounded-t-[2px] transition-colors ${
                count === 0 ? "bg-line" : isBrushed(index) ? "bg-accent/65 group-hover:bg-accent" : "bg-control/40"
              }`}
              style={{ height: count === 0 ? 1 : `${Math.max(4, (count / most) * 100)}%` }}
            />
          </button>
        ))}
      </div>
      {counts.length > 0 && (
        <figcaption className="mt-1.5 flex justify-between text-tiny text-muted tabular-nums">
          <span>{nameOf(0)}</span>
          {brush !== null && (
            <span className="text-accent-ink">
              {nameOf(Math.min(brush.from, brush.to))} to {nameOf(Math.max(brush.from, brush.to) + 1)}
            </span>
          )}
          <span>{end > Date.now() ? "Now" : format.format(format === day ? end - 1 : end)}</span>
        </figcaption>
      )}
    </figure>
  );
});
