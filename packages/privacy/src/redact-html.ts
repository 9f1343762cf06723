import { requireLevel, requireText } from "./arguments.js";
import { compilePolicy, defaultPolicy } from "./compiled-policy.js";
import { findSpans } from "./engine.js";
import { isFilledCritical } from "./html/attributes.js";
import { rewriteHtml } from "./html/rewrite.js";
import { htmlToText } from "./html/to-text.js";
import { tokenizeHtml } from "./html/tokenizer.js";
import { isAtMost, type PrivacyLevel } from "./levels.js";
import { redactText, type RedactTextOptions } from "./redact-text.js";
import { filterUrl } from "./redact-url.js";
import { TimeLimit } from "./time-limit.js";
import { seam } from "./text/invisible.js";
import { addCounts, countSpans, type RedactionCounts } from "./spans.js";

/**
 * Filters HTML by its structure. At `public` and `private` it stays HTML: scripts, styles, drawings, comments, event
 * handlers and hidden values go, URLs and text are filtered, everything else keeps its spelling. At `filtered` the
 * result is plain text (say so in the content's format); at `restricted` it is `""`.
 *
 * Uses a tokenizer of its own, not the DOM, so it works in a service worker. Linear, idempotent on HTML that stays
 * HTML. Throws as {@link redactText} does.
 */
export function redactHtml(
  html: string,
  level: PrivacyLevel,
  options: RedactTextOptions = {},
): { html: string; redactions: RedactionCounts } {
  requireText(html, "redactHtml");
  requireLevel(level, "redactHtml");
  const policy = compilePolicy(options.policy ?? defaultPolicy);
  const limit = new TimeLimit(options);
  if (level === "restricted") return { html: "", redactions: {} };
  if (isAtMost("filtered", level)) {
    const reduced = htmlToText(html);
    const { text, redactions } = redactText(unlikeControls(reduced.text), level, { ...options, ...limit.rest });
    addCounts(redactions, reduced.redactions);
    return { html: text.replaceAll(seam, ""), redactions };
  }
  const redactions: RedactionCounts = {};
  /** Addresses that stay as they are: pages repeat theirs. */
  const kept = new Set<string>();
  const rewritten = rewriteHtml(html, {
    level,
    find: (text) => findSpans(text, { level, place: "content", policy, limit }),
    url: (url) => {
      if (kept.has(url)) return url;
      const filtered = filterUrl(url, { level, policy, redactions, depth: 0, limit });
      if (filtered === url) kept.add(url);
      return filtered;
    },
    removed: (kind) => addCounts(redactions, { [kind]: 1 }),
  });
  addCounts(redactions, countSpans(rewritten.spans));
  return { html: rewritten.html, redactions };
}

/** Markup that a page only writes about is text once it is decoded; filtered again, it must not be taken for a control of the page. */
function unlikeControls(text: string): string {
  return hasFilledCriticalControl(text) ? text.replace(/<(?=[a-z])/gi, "< ") : text;
}

/** Whether a page shows a filled password or card field: a signal that makes it `restricted`. */
export function hasFilledCriticalControl(html: string): boolean {
  if (!/(?:password|cc-)/i.test(html)) return false;
  return tokenizeHtml(html).some((token) => token.type === "start" && isFilledCritical(html, token.name, token.attributes));
}
