import { createHash } from "node:crypto";

/** A context's line of an export; what a test does not say has defaults. */
export function contextLine(contextId: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  const url = "https://articles.example/reading";
  const timestamp = "2026-01-31T12:00:00.000Z";
  return {
    kind: "context",
    contextId,
    type: "page",
    url,
    title: "Lighthouses",
    content: "An article about lighthouses.",
    contentFormat: "text",
    tabId: "7",
    extensionId: "laptop",
    timestamp,
    writtenAt: timestamp,
    privacyLevel: "private",
    tabMetadata: { id: "7", url, title: "Lighthouses", isActive: true, isLoading: false, windowId: 0, lastUpdated: timestamp },
    metadata: {},
    ...fields,
  };
}

/** Lines as a whole export, with its header and its end. */
export function exportText(lines: ReadonlyArray<Record<string, unknown>>, header: Record<string, unknown> = {}): string {
  const first = {
    kind: "header",
    format: "periscope-export",
    version: 1,
    exportedAt: "2026-01-31T12:00:00.000Z",
    userId: "someone",
    contexts: lines.length,
    ...header,
  };
  const text = [first, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
  const counts: Record<string, number> = {};
  for (const { kind } of lines) counts[String(kind)] = (counts[String(kind)] ?? 0) + 1;
  return `${text}${JSON.stringify({ kind: "end", lines: counts, sha256: createHash("sha256").update(text).digest("hex") })}\n`;
}

/** A whole export of contexts with these ids. */
export const exportOf = (contextIds: readonly string[]): string => exportText(contextIds.map((id) => contextLine(id)));
