import { createHash } from "node:crypto";
import { limits, type CreateMessage } from "@periscope/schemas";
import type { Page } from "../pages/page.ts";
import { trimUtf8 } from "../pages/trim-utf8.ts";

const tabs = 12;

/** Where a page stands in the browsing that is synced. */
export interface Visit {
  index: number;
  /** Milliseconds since the epoch. */
  capturedAt: number;
  /** When the message is made; milliseconds since the epoch. */
  now: number;
}

/** The message by which an extension would sync `page`, open in one of a dozen tabs. */
export function pageMessage(page: Page, { index, capturedAt, now }: Visit): CreateMessage {
  const id = createHash("sha256").update(page.url).digest("hex").slice(0, 24);
  const tabId = `tab-${(index % tabs) + 1}`;
  const title = trimUtf8(page.title, limits.titleBytesMax);
  return {
    id: `msg-${id}`,
    type: "create",
    timestamp: new Date(now).toISOString(),
    payload: {
      type: "context",
      operation: "create",
      context: {
        id: `page-${id}`,
        type: "page",
        tabId,
        capturedAt: new Date(capturedAt).toISOString(),
        content: page.content,
        contentFormat: page.format,
        tabMetadata: { id: tabId, url: page.url, title, isActive: true, isLoading: false, windowId: 1 },
        metadata: page.truncated ? { ...page.origin, truncated: true } : page.origin,
      },
    },
  };
}
