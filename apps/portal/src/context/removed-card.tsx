import type { PrivacyLevel } from "@periscope/schemas";
import { ShieldCheck } from "lucide-react";
import { Card } from "../ui/card.js";
import { LevelBadge, levels } from "../ui/context-facts.js";
import { describeReason } from "../ui/level-reasons.js";

interface Removed {
  level: PrivacyLevel;
  reasons: readonly string[];
  removed: ReadonlyArray<{ kind: string; count: number }>;
}

/** What the privacy filter took out of a context before it was stored, by which level, and why it has that level. */
export function RemovedCard({ level, reasons, removed }: Removed) {
  return (
    <Card title="Removed before it was stored" action={<LevelBadge level={level} />}>
      <div className="space-y-3 px-4 pb-4">
        {removed.length > 0 && level !== "restricted" && (
          <ul className="space-y-1.5">
            {removed.map(({ kind, count }) => (
              <li key={kind} className="flex items-baseline justify-between gap-3">
                <span className="first-letter:uppercase">{kind.replaceAll("_", " ")}</span>
                <span className="text-muted tabular-nums">{count}</span>
              </li>
            ))}
          </ul>
        )}
        <p className="flex gap-2 text-small text-muted">
          <ShieldCheck className="mt-0.5 size-3.5 shrink-0" aria-hidden />
          {removed.length === 0 && level !== "restricted" ? "Nothing in its text was replaced." : levels[level].meaning}
        </p>
        <div className="border-t border-line pt-3">
          <h3 className="text-small text-muted">Why this level</h3>
          {reasons.length === 0 ? (
            <p className="mt-0.5">The browser or program that sent it asked for this level.</p>
          ) : (
            <ul className="mt-0.5 space-y-1">
              {reasons.map((reason) => (
                <li key={reason}>{describeReason(reason)}</li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </Card>
  );
}
