import { type Html, html, join } from "./docs-page-html.js";

/** The little Markdown that the document's texts use: headings (`## `), lists (`- `), paragraphs and `code`. */
export function richText(text: string): Html {
  return html`${text.split(/\n{2,}/).map(block)}`;
}

/** `code` within a line of text. */
export function inline(text: string): Html {
  return html`${text.split(/`([^`]*)`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** The headings of a text, for the navigation. */
export function headingsOf(text: string): Array<{ id: string; title: string }> {
  return [...text.matchAll(/^## (.+)$/gm)].map(([, title = ""]) => ({ id: headingId(title), title }));
}

/** A JSON value, indented, its keys and values marked for colour. */
export function jsonText(value: unknown): Html {
  // Splitting on a group keeps the strings, at the odd places: those before a colon are keys.
  const parts = JSON.stringify(value, null, 2).split(/("(?:[^"\\]|\\.)*")/);
  return html`${parts.map((part, index) => {
    if (index % 2 === 0) return part;
    return parts[index + 1]?.startsWith(":") ? html`<span class="key">${part}</span>` : html`<span class="str">${part}</span>`;
  })}`;
}

function block(text: string): Html {
  if (text.startsWith("## ")) return html`<h3 id="${headingId(text.slice(3))}">${inline(text.slice(3))}</h3>`;
  if (text.startsWith("- "))
    return html`<ul>
      ${text
        .split(/^- /m)
        .slice(1)
        .map((item) => html`<li>${inline(item.trim())}</li>`)}
    </ul>`;
  return html`<p>${join(text.split("\n").map(inline), html`<br />`)}</p>`;
}

function headingId(title: string): string {
  return `about-${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
}
