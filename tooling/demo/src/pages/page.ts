/** A page of documentation, as a browser tab would show it. */
export interface Page {
  url: string;
  title: string;
  format: "html" | "markdown";
  content: string;
  /** Whether the content is the start of a longer one. */
  truncated: boolean;
  /** Where it was read: the file, and for a package's page its name and version. */
  origin: Record<string, string>;
}

/** Pages with less text than this say nothing worth finding. Characters. */
export const pageCharsMin = 200;

const titleCharsMax = 300;

/** One line without control characters, at most 300 characters. */
export function cleanTitle(title: string): string {
  return title
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, titleCharsMax)
    .toWellFormed();
}
