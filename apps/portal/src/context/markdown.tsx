import DOMPurify from "dompurify";
import { Marked } from "marked";
import { useMemo } from "react";
import { markPlaceholders } from "../ui/redacted-text.js";

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const marked = new Marked({
  gfm: true,
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

/** Text of a page as Markdown. Only harmless elements are left, pictures are not loaded, and links open outside. */
export function Markdown({ text }: { text: string }) {
  const html = useMemo(() => {
    const fragment = DOMPurify.sanitize(marked.parse(text, { async: false }), { ...allowed, RETURN_DOM_FRAGMENT: true });
    for (const link of fragment.querySelectorAll("a")) {
      link.target = "_blank";
      link.rel = "noopener noreferrer nofollow";
    }
    markPlaceholders(fragment);
    const holder = document.createElement("div");
    holder.append(fragment);
    return holder.innerHTML;
  }, [text]);
  return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}
