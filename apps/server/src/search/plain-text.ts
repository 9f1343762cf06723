import type { ContentFormat, ContextType } from "@periscope/schemas";
import { htmlText } from "./html-text.js";
import { markdownText } from "./markdown-text.js";

/** Without tags, markdown's marks are no words: it can be searched as it stands, and is stripped where an excerpt is made. */
const tag = /<(?!https?:|mailto:)[A-Za-z!/]/;
/** Past this many UTF-16 units stripping takes too long for every result of a search. */
const markdownCharsMax = 65_536;

/**
 * The text of a context as it is searched and excerpted; null when `content` stands for itself ({@link excerptTextOf} then gives the
 * text of an excerpt). Time and memory are linear in the length of the content, and nothing in it raises.
 */
export function plainTextOf(type: ContextType, contentFormat: ContentFormat, content: string): string | null {
  if (type === "form") {
    const text = formText(content);
    if (text !== null) return text;
  }
  if (contentFormat === "html") return htmlText(content);
  if (contentFormat === "markdown" && (content.length > markdownCharsMax || tag.test(content))) return markdownText(content);
  return null;
}

/** The text to excerpt of a content that has no plain text beside it. */
export function excerptTextOf(contentFormat: ContentFormat, content: string): string {
  return contentFormat === "markdown" && content.length <= markdownCharsMax ? markdownText(content) : content;
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
