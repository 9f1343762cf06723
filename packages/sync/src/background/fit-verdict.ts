import type { FilterVerdict, NewMessage } from "../core/message.js";
import { fitText } from "../fit-text.js";
import { captureBounds, fitsBytes } from "../protocol.js";

/**
 * Cuts content that was within the contract's bound until the filter put longer words in place of what it removed, and says so: the service would
 * refuse the whole context. A form stays as it is, since JSON cannot be cut.
 */
export function fitVerdict(given: NewMessage, verdict: FilterVerdict): FilterVerdict {
  if (!verdict.keep || verdict.message.type !== "create" || given.type !== "create") return verdict;
  const { context } = verdict.message.payload;
  const didFit = fitsBytes(given.payload.context.content ?? "", captureBounds.contentBytesMax);
  if (!didFit || context.type === "form" || fitsBytes(context.content ?? "", captureBounds.contentBytesMax)) return verdict;
  const { content } = fitText(context.content ?? "", captureBounds.contentBytesMax);
  const metadata = { ...context.metadata, truncated: true };
  return { ...verdict, message: { ...verdict.message, payload: { context: { ...context, content, metadata } } } };
}
