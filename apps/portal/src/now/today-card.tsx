import type { ContextType } from "@periscope/schemas";
import { Card } from "../ui/card.js";
import { kinds } from "../ui/context-facts.js";
import { Bar } from "../ui/loading.js";

const number = new Intl.NumberFormat();

/** How many contexts were captured today, by kind. */
export function TodayCard({ counts }: { counts: Partial<Record<ContextType, number>> | undefined }) {
  const rows = Object.entries(counts ?? {}).sort(([, one], [, other]) => other - one) as [ContextType, number][];
  const total = rows.reduce((sum, [, count]) => sum + count, 0);
  return (
    <Card title="Today">
      <div className="px-4 pb-4">
        {counts === undefined ? (
          <Bar className="h-8 w-20" />
        ) : (
          <p className="flex items-baseline gap-2">
            <span className="text-display leading-none font-bold tracking-tight tabular-nums">{number.format(total)}</span>
            <span className="text-muted">{total === 1 ? "context" : "contexts"}</span>
          </p>
        )}
        {rows.length > 0 && (
          <ul className="mt-4 space-y-2.5">
            {rows.map(([kind, count]) => (
              <li key={kind} className="text-small">
                <span className="flex justify-between gap-3">
                  <span className="text-muted">{kinds[kind].label}</span>
                  <span className="font-medium tabular-nums">{number.format(count)}</span>
                </span>
                <span className="mt-1 block h-1 overflow-hidden rounded-full bg-sunken" aria-hidden>
                  <span className="block h-full rounded-full bg-accent" style={{ width: `${(count / total) * 100}%` }} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}
