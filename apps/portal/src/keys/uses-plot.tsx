const number = new Intl.NumberFormat();
const height = 24;
const step = 6;

/** A key's requests of each day, the last one today. */
export function UsesPlot({ uses }: { uses: readonly number[] }) {
  const most = Math.max(...uses, 1);
  const total = uses.reduce((sum, count) => sum + count, 0);
  return (
    <span className="flex items-center gap-2.5">
      <svg
        role="img"
        aria-label={`${number.format(total)} requests in ${uses.length} days`}
        width={uses.length * step - 2}
        height={height}
        className="shrink-0"
      >
        {uses.map((count, index) => {
          const size = count === 0 ? 2 : Math.max(3, (count / most) * height);
          return (
            <rect
              key={index}
              x={index * step}
              y={height - size}
              width={step - 2}
              height={size}
              rx={1}
              className={count === 0 ? "fill-line" : "fill-accent"}
            />
          );
        })}
      </svg>
      <span className="text-small text-muted tabular-nums" aria-hidden>
        {number.format(total)}
      </span>
    </span>
  );
}
