import { Fragment, type ReactNode } from "react";

/** What the privacy filter puts in the place of what it removes, such as `[REDACTED:api_key]`. */
const placeholder = /\[REDACTED:([a-z][a-z0-9_]*)\]/;

const chipClasses = "mx-px rounded-small bg-bad-tint px-1 py-0.5 text-[0.92em] font-medium whitespace-nowrap text-bad no-underline";
const chipTitle = "Removed before it was stored";

/**
 * A text as it is stored, with what the privacy filter has put in the place of what it removed set off from the rest.
 * @param renderText how the rest is shown; as it stands by default
 */
export function RedactedText({ text, renderText }: { text: string; renderText?: (text: string) => ReactNode }) {
  return text.split(placeholder).map((part, at) =>
    at % 2 === 0 ? (
      <Fragment key={at}>{renderText && part !== "" ? renderText(part) : part}</Fragment>
    ) : (
      <span key={at} title={chipTitle} className={chipClasses}>
        {toWords(part)}
      </span>
    ),
  );
}

/** The title of a context, or why there is none. */
export function ContextTitle({ title, renderText }: { title: string; renderText?: (text: string) => ReactNode }) {
  if (title === "" || title === "[REDACTED:title]") return <span className="font-normal text-muted">{missingTitle(title)}</span>;
  return <RedactedText text={title} {...(renderText && { renderText })} />;
}

/** The same for places that take no elements, such as the browser's tab. */
export function toPlainTitle(title: string): string {
  if (title === "" || title === "[REDACTED:title]") return missingTitle(title);
  return title.replaceAll(new RegExp(placeholder, "g"), (_, kind: string) => `(${toWords(kind)})`);
}

/** Sets placeholders within an element off from the rest. */
export function markPlaceholders(parent: Node): void {
  const walker = document.createTreeWalker(parent, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) text.replaceWith(...text.data.split(placeholder).map((part, at) => (at % 2 === 0 ? part : createChip(part))));
}

function createChip(kind: string): Element {
  const chip = document.createElement("span");
  chip.textContent = toWords(kind);
  chip.className = chipClasses;
  chip.title = chipTitle;
  return chip;
}

const missingTitle = (title: string): string => (title === "" ? "Without a title" : "Title not stored");

const toWords = (kind: string): string => kind.replaceAll("_", " ");
