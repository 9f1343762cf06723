import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { declaredCharset, htmlAddress, htmlTitle } from "./html.ts";
import { frontMatterTitle, markdownTitle, withoutFrontMatter } from "./markdown.ts";

/** A file of documentation: what it says of itself, before anything is known of where it was published. */
export interface Document {
  format: "html" | "markdown";
  content: string;
  title: string | undefined;
  /** Address that the document itself declares. */
  address: string | undefined;
}

const formats: Record<string, "html" | "markdown"> = {
  ".html": "html",
  ".htm": "html",
  ".xhtml": "html",
  ".md": "markdown",
  ".mdx": "markdown",
  ".markdown": "markdown",
};

/** Whether a file of this name is read as a document. */
export function isDocument(name: string): boolean {
  return formatOf(name) !== undefined;
}

function formatOf(name: string): "html" | "markdown" | undefined {
  return formats[extname(name).toLowerCase()];
}

/** Reads an HTML or Markdown file. Bytes that are no text of the declared encoding become U+FFFD. */
export function readDocument(path: string): Document {
  const bytes = readFileSync(path);
  if (formatOf(path) === "html") {
    const content = decode(bytes, declaredCharset(bytes.subarray(0, 2_048).toString("latin1")));
    return { format: "html", content, title: htmlTitle(content), address: htmlAddress(content) };
  }
  const text = decode(bytes, undefined);
  const content = withoutFrontMatter(text);
  return { format: "markdown", content, title: frontMatterTitle(text) ?? markdownTitle(content), address: undefined };
}

function decode(bytes: Uint8Array, charset: string | undefined): string {
  return decoderOf(charset).decode(bytes).replaceAll("\0", "");
}

function decoderOf(charset = "utf-8") {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder("utf-8");
  }
}
