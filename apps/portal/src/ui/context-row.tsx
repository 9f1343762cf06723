import type { HistoryItem } from "@periscope/schemas";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ContextTile, LevelBadge, toSite } from "./context-facts.js";
import { ContextTitle } from "./redacted-text.js";

/** A row that leads to a context: what it is, where it was, and what the caller adds at the end and below. */
export function ContextRow({ item, title, end, children }: { item: HistoryItem; title?: ReactNode; end: ReactNode; children?: ReactNode }) {
  const { contextId, type, url, privacyLevel } = item;
  return (
    <Link
      to="/contexts/$contextId"
      params={{ contextId }}
      className="flex gap-3 px-4 py-2 transition-colors hover:bg-hover/60 focus-visible:rounded-small"
    >
      <ContextTile kind={type} url={url} className="mt-0.5" />
      <span className="min-w-0 grow">
        <span className="flex items-baseline gap-3">
          <span dir="auto" className="grow truncate text-left font-medium">
            {title ?? <ContextTitle title={item.title} />}
          </span>
          <span className="shrink-0 text-small text-muted">{end}</span>
        </span>
        <span className="flex h-5 items-center gap-2 text-small text-muted">
          <span className="truncate">{toSite(url) || "Address not stored"}</span>
          {privacyLevel !== "public" && privacyLevel !== "private" && <LevelBadge level={privacyLevel} />}
        </span>
        {children}
      </span>
    </Link>
  );
}
