import DOMPurify from "dompurify";
import { Marked } from "marked";
import { useMemo } from "react";
import { markPlaceholders, RedactedText } from "../ui/redacted-text.js";

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A megabyte of usual text takes a second, and what a page has made to be slow would take hours. */
const parseMsMax = 2_000;
let parseUntil = 0;
const stopWhenLate = (): false => {
  if (performance.now() > parseUntil) throw new Error("This text takes too long.");
  return false;
};

const marked = new Marked({
  gfm: true,
  // They are called again and again, all through a text.
  tokenizer: { space: stopWhenLate, escape: stopWhenLate },
  renderer: {
    // Nothing is loaded from where the page was.
    image: ({ text }) => escapeHtml(text),
    html: ({ text }) => escapeHtml(text),
  },
});

const allowed = {
  ALLOWED_TAGS: "a b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i li ol p pre s strong table tbody td th thead tr ul".split(" "),
  ALLOWED_ATTR: ["href", "start", "align"],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
};

/**
 * Text of a page as Markdown. Only harmless elements are left, pictures are not loaded, and links open outside. Text that is no Markdown to
 * the parser, by its depth or by the time that it takes, is shown as it stands.
 */
export function Markdown({ text }: { text: string }) {
  const html = useMemo(() => toHtml(text), [text]);
  if (html === undefined) return <PlainText text={text} />;
  return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Text as it stands, with its lines. */
export function PlainText({ text }: { text: string }) {
  return (
    <div className="prose whitespace-pre-wrap">
      <RedactedText text={text} />
    </div>
  );
}

function toHtml(text: string): string | undefined {
  const parsed = parse(text);
  if (parsed === undefined) return undefined;
  const fragment = DOMPurify.sanitize(parsed, { ...allowed, RETURN_DOM_FRAGMENT: true });
  for (const link of fragment.querySelectorAll("a")) {
    link.target = "_blank";
    link.rel = "noopener noreferrer nofollow";
  }
  markPlaceholders(fragment);
  const holder = document.createElement("div");
  holder.append(fragment);
  return holder.innerHTML;
}

function parse(text: string): string | undefined {
  parseUntil = performance.now() + parseMsMax;
  try {
    return marked.parse(text, { async: false });
  } catch {
    return undefined;
  }
}
