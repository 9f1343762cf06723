import type { PrivacyLevel } from "@periscope/schemas";
import { ShieldCheck } from "lucide-react";
import { Card } from "../ui/card.js";
import { LevelBadge, levels } from "../ui/context-facts.js";

/** What the privacy filter took out of a context before it was stored, and by which level. */
export function RemovedCard({ level, removed }: { level: PrivacyLevel; removed: ReadonlyArray<{ kind: string; count: number }> }) {
  return (
    <Card title="Removed before it was stored" action={<LevelBadge level={level} />}>
      <div className="px-4 pb-4">
        {removed.length > 0 && (
          <ul className="mb-3 space-y-1.5">
            {removed.map(({ kind, count }) => (
              <li key={kind} className="flex items-baseline justify-between gap-3">
                <span className="capitalize">{kind.replaceAll("_", " ")}</span>
                <span className="text-muted tabular-nums">{count}</span>
              </li>
            ))}
          </ul>
        )}
        <p className="flex gap-2 text-small text-muted">
          <ShieldCheck className="mt-0.5 size-3.5 shrink-0" aria-hidden />
          {removed.length === 0 && level !== "restricted" ? "The filter found nothing to remove." : levels[level].meaning}
        </p>
      </div>
    </Card>
  );
}
