import type { ReactNode } from "react";

/** A number or another short value under its name, within a list of them. */
export function Fact({ name, note, value }: { name: string; note?: string | undefined; value: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="truncate text-small text-muted">{name}</dt>
      <dd>
        <span className="mt-0.5 block text-large font-bold tracking-tight tabular-nums">{value}</span>
        {note !== undefined && <span className="block text-tiny text-muted tabular-nums">{note}</span>}
      </dd>
    </div>
  );
}
