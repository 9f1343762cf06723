import type { HistoryItem, SearchHit } from "@periscope/schemas";
import { bounds, largestFit, sizeOf, type ToolAnswer } from "./bounds.js";
import type { HistoryAnswer, SearchAnswer } from "./context-source.js";
import { fence, fenceLine, jsonNoticeOf, newBoundary, noticeOf } from "./fence.js";
import { line } from "./line.js";

/** A list as it is told: what it is, its items, and where it goes on. */
interface List {
  heading: string;
  items: readonly (HistoryItem | SearchHit)[];
  total: number;
  nextCursor: string | undefined;
  /** Words of pages that were searched in place of the query. */
  correctedQuery?: string | undefined;
  /** Further facts, for readers of JSON. */
  more?: Record<string, unknown>;
}

// Longer than any cursor that a list has.
const cursorLike = "c".repeat(400);

/**
 * A page of history, as many items as fit into `maxChars`.
 * @param fetch answers a page of at most so many items: asked again for fewer when not all fit, since only the service makes cursors
 */
export async function historyAnswer(
  fetch: (limit: number) => Promise<HistoryAnswer>,
  limits: { limit: number; maxChars: number },
): Promise<ToolAnswer> {
  let { limit } = limits;
  for (;;) {
    const { items, total, nextCursor } = await fetch(limit);
    const heading = items.length === 0 ? "No contexts." : `${items.length} of ${total} contexts, newest first.`;
    const answer = render({ heading, items, total, nextCursor });
    if (sizeOf(answer) <= limits.maxChars || limit === 1) return answer;
    const part = (count: number) => render({ heading, items: items.slice(0, count), total, nextCursor: cursorLike });
    const fitting = largestFit(items.length, (count) => sizeOf(part(count)) <= limits.maxChars);
    limit = Math.max(1, Math.min(fitting, limit - 1));
  }
}

/** A page of search results from `offset` on, as many as fit into `maxChars`. */
export function searchAnswer(found: SearchAnswer, { offset, maxChars }: { offset: number; maxChars: number }): ToolAnswer {
  const { total, totalIsExact } = found;
  const correctedQuery = found.correctedQuery === undefined ? undefined : line(found.correctedQuery, bounds.titleCharsMax);
  const part = (count: number) => {
    const items = found.items.slice(0, count);
    const end = offset + count;
    const isLast = items.length === 0 || (totalIsExact && end >= total);
    const matches = `${totalIsExact ? "" : "more than "}${total} match${total === 1 ? "" : "es"}`;
    const heading = items.length === 0 ? emptySearch(offset, totalIsExact) : `Results ${offset + 1} to ${end} of ${matches}, best first.`;
    return render({ heading, items, total, nextCursor: isLast ? undefined : String(end), correctedQuery, more: { totalIsExact } });
  };
  const all = part(found.items.length);
  if (sizeOf(all) <= maxChars) return all;
  return part(largestFit(found.items.length, (count) => sizeOf(part(count)) <= maxChars));
}

function emptySearch(offset: number, totalIsExact: boolean): string {
  if (offset > 0 && !totalIsExact) return "No more results can be read, but more may match. Narrow the search with startTime and endTime.";
  if (offset > 0) return "No more results.";
  return "Nothing was found. Try fewer or other words, a wider time range, or list_history for what was viewed at a time.";
}

function render({ heading, items, total, nextCursor, correctedQuery, more = {} }: List): ToolAnswer {
  const rows = items.map((item) => ({
    contextId: item.contextId,
    type: item.type,
    timestamp: item.timestamp,
    title: line(item.title, bounds.titleCharsMax),
    url: line(item.url, bounds.urlCharsMax),
    ...("snippet" in item && { snippet: line(item.snippet, bounds.snippetCharsMax), relevance: item.relevance }),
  }));
  const corrected = correctedQuery === undefined ? [] : [`Searched instead, for a typing error: ${correctedQuery}`];
  const lines = [...corrected, ...rows.flatMap(linesOf)].join("\n");
  const boundary = newBoundary(lines);
  const goOn = nextCursor === undefined ? [] : [`There is more: call again with the same arguments and cursor ${nextCursor}.`];
  const page = rows.length === 0 ? [] : [noticeOf(boundary), fence(lines, boundary)];
  return {
    text: [heading, ...page, ...goOn].join("\n"),
    structured: {
      notice: jsonNoticeOf(boundary),
      items: rows.map((row) => ({
        ...row,
        title: fenceLine(row.title, boundary),
        url: fenceLine(row.url, boundary),
        ...(row.snippet !== undefined && { snippet: fenceLine(row.snippet, boundary) }),
      })),
      total,
      ...more,
      ...(correctedQuery !== undefined && { correctedQuery: fenceLine(correctedQuery, boundary) }),
      ...(nextCursor !== undefined && { nextCursor }),
    },
  };
}

function linesOf(row: { contextId: string; type: string; timestamp: string; title: string; url: string; snippet?: string }): string[] {
  const { contextId, type, timestamp, title, url, snippet } = row;
  return [
    `- ${contextId} (${type}, ${timestamp}): ${title}`,
    `  ${url}`,
    ...(snippet === undefined || snippet === "" ? [] : [`  ${snippet}`]),
  ];
}
