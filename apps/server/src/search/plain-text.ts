import type { ContentFormat, ContextType } from "@periscope/schemas";
import { formText } from "./form-text.js";
import { htmlText } from "./html-text.js";
import { markdownText } from "./markdown-text.js";

/**
 * The text of a context as it is searched and excerpted; null when `content` is plain already, which then stands for itself.
 * Time and memory are linear in the length of the content, and nothing in it raises.
 */
export function plainTextOf(type: ContextType, contentFormat: ContentFormat, content: string): string | null {
  if (type === "form") {
    const text = formText(content);
    if (text !== null) return text;
  }
  if (contentFormat === "html") return htmlText(content);
  if (contentFormat === "markdown") return markdownText(content);
  return null;
}
