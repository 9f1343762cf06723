/** How far something is. Without a total, it has only begun. */
export function Progress({ label, done, total, text }: { label: string; done: number; total: number; text: string }) {
  const share = total === 0 ? 0 : Math.min(1, done / total);
  return (
    <div className="space-y-1.5">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={text}
        className="h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <div className="h-full bg-accent transition-[width]" style={{ width: `${share * 100}%` }} />
      </div>
      <p className="text-small text-muted tabular-nums">{text}</p>
    </div>
  );
}
