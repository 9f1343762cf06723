import type { Context } from "@periscope/schemas";
import { bounds, largestFit, sizeOf, type ToolAnswer } from "./bounds.js";
import { fence, fenceLine, jsonNoticeOf, newBoundary, noticeOf } from "./fence.js";
import { cut, line } from "./line.js";

/** Longer than any cursor of the service. */
const cursorLike = "c".repeat(256);

/**
 * One context with as much of its content as fits into `maxChars`, and the cursor for the rest.
 * @param fetch answers the context with at most so many characters of content, from where the reader is
 */
export async function contextAnswer(fetch: (contentChars: number) => Promise<Context>, maxChars: number): Promise<ToolAnswer>;
export async function contextAnswer(fetch: (contentChars: number) => Promise<Context | null>, maxChars: number): Promise<ToolAnswer | null>;
export async function contextAnswer(
  fetch: (contentChars: number) => Promise<Context | null>,
  maxChars: number,
): Promise<ToolAnswer | null> {
  // Most pages fit at once: JSON adds a few percent to a text, and the frame around it is about 900 characters.
  let room = Math.floor(maxChars * 0.94) - 900;
  for (;;) {
    const context = await fetch(room);
    if (context === null) return context;
    const boundary = newBoundary(context.title, context.url, context.content);
    const answer = render(context, boundary);
    if (sizeOf(answer) <= maxChars || room === 1) return answer;
    const part = (chars: number) => ({ ...context, content: cut(context.content, chars), nextContentCursor: cursorLike });
    const fitting = largestFit(context.content.length, (chars) => sizeOf(render(part(chars), boundary)) <= maxChars);
    room = Math.max(1, Math.min(fitting, room - 1));
  }
}

function render(context: Context, boundary: string): ToolAnswer {
  const { contextId, type, timestamp, privacyLevel, contentFormat, content, nextContentCursor } = context;
  const title = line(context.title, bounds.titleCharsMax);
  const url = line(context.url, bounds.urlCharsMax);
  const facts = `Context ${contextId}: ${type}, captured ${timestamp}, ${contentFormat}, privacy level ${privacyLevel}.`;
  const page = fence(`Title: ${title}\nURL: ${url}\n\n${content}`, boundary);
  const more =
    nextContentCursor === undefined
      ? []
      : [`There is more: call get_context with contextId ${contextId} and cursor ${nextContentCursor} to read on.`];
  return {
    text: [facts, noticeOf(boundary), page, ...more].join("\n"),
    structured: {
      notice: jsonNoticeOf(boundary),
      contextId,
      type,
      title: fenceLine(title, boundary),
      url: fenceLine(url, boundary),
      timestamp,
      privacyLevel,
      contentFormat,
      content: fence(content, boundary),
      ...(nextContentCursor !== undefined && { nextCursor: nextContentCursor }),
    },
  };
}
