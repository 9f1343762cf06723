import type { ContentFormat, ContextType } from "@periscope/schemas";
import { htmlText } from "./html-text.js";
import { markdownText } from "./markdown-text.js";

/** Without tags, markdown's marks are no words: it can be searched as it stands, and is stripped where an excerpt is made. */
const tag = /<(?!https?:|mailto:)[A-Za-z!/]/;
/** Of a content with more UTF-16 units, the plain text is stored: stripping it takes too long for every result of a search. */
export const strippedCharsMax = 65_536;

/** What the text of a context is made from. */
export interface TextSource<Text extends string = string> {
  type: ContextType;
  contentFormat: ContentFormat;
  content: Text;
  /** The plain text where it is stored. */
  plainText: Text | null;
}

/**
 * The text of a context as it is excerpted, without tags and marks. Time and memory are linear in the length of the content, and nothing
 * in it raises.
 */
export function excerptTextOf({ type, contentFormat, content, plainText }: TextSource): string {
  if (plainText !== null) return plainText;
  const form = type === "form" ? formText(content) : null;
  if (form !== null) return form;
  if (contentFormat === "html") return htmlText(content);
  return contentFormat === "markdown" ? markdownText(content) : content;
}

/** The text of a context as it is indexed. Markdown without tags stands as it is, so that the addresses of its links are found. */
export function indexedTextOf(source: TextSource): string {
  const { type, contentFormat, content, plainText } = source;
  const isPlain = plainText === null && type !== "form" && contentFormat === "markdown" && !tag.test(content);
  return isPlain ? content : excerptTextOf(source);
}

/** One line a field, `label: value`, of a form's content; null when `content` is no JSON array of fields. */
function formText(content: string): string | null {
  const fields = parseArray(content);
  if (fields === null) return null;
  const lines: string[] = [];
  for (const field of fields) {
    if (typeof field !== "object" || field === null) continue;
    const { label, name, value } = field as Record<string, unknown>;
    const caption = textOf(label) || textOf(name);
    const line = [caption, textOf(value)].filter((part) => part !== "").join(": ");
    if (line !== "") lines.push(line);
  }
  return lines.join("\n");
}

function parseArray(content: string): unknown[] | null {
  try {
    const parsed: unknown = JSON.parse(content);
    return Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return "";
}
