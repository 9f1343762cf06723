import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import type { Outputs } from "../api.js";
import { Card } from "../ui/card.js";
import { ContextTile, kinds, LevelBadge, toSite } from "../ui/context-facts.js";
import { ContextTitle, RedactedText } from "../ui/redacted-text.js";
import { Ago } from "../ui/time.js";

type Current = NonNullable<Outputs["now"]["overview"]["current"]>;

/** What the person looks at, as an agent would get it. */
export function CurrentCard({ context }: { context: Current }) {
  const { contextId, type, url, title, excerpt, timestamp, viewedAt, privacyLevel } = context;
  return (
    <Card title="You are looking at" action={<LevelBadge level={privacyLevel} />}>
      <Link
        to="/contexts/$contextId"
        params={{ contextId }}
        className="group block rounded-b-large px-4 pb-4 transition-colors focus-visible:rounded-large"
      >
        <span className="flex items-start gap-3.5">
          <ContextTile kind={type} url={url} className="size-10" />
          <span className="min-w-0 grow">
            <span
              dir="auto"
              className="line-clamp-3 text-left text-large leading-snug font-bold tracking-tight text-balance wrap-anywhere group-hover:text-accent-ink"
            >
              <ContextTitle title={title} />
            </span>
            <span className="mt-0.5 flex min-w-0 gap-1.5 text-small text-muted">
              <span className="truncate">{toSite(url) || "Address not stored"}</span>
              <span aria-hidden>·</span>
              <span className="whitespace-nowrap">{kinds[type].label}</span>
              <span aria-hidden>·</span>
              <Ago at={viewedAt ?? timestamp} />
            </span>
          </span>
          <ArrowRight className="mt-1 size-4 shrink-0 text-muted transition-transform group-hover:translate-x-0.5" aria-hidden />
        </span>
        {excerpt !== "" && (
          <span dir="auto" className="mt-3 line-clamp-3 text-left text-muted wrap-anywhere sm:pl-13.5">
            <RedactedText text={excerpt} />
          </span>
        )}
      </Link>
    </Card>
  );
}
