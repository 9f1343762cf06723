import { classNames } from "./class-names.js";

/** A grey bar in the place of a text that is on its way. */
export function Bar({ className }: { className?: string }) {
  return <div className={classNames("h-3 animate-pulse rounded-small bg-hover", className)} />;
}

/** Rows in the place of a list that is on its way. */
export function LoadingRows({ rows = 6 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading" className="divide-y divide-line">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex items-center gap-3 px-4 py-3.5">
          <Bar className="size-8 shrink-0" />
          <div className="grow space-y-2">
            <Bar className="w-2/5" />
            <Bar className="w-3/5" />
          </div>
        </div>
      ))}
    </div>
  );
}
