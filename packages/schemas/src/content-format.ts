const opensMarkup = /^\s*<(?:[A-Za-z][^\s<>]*[\s/>]|!doctype\b|!--)/i;

/** The format of content that comes without one: `html` when the first thing that is not blank opens a tag, a doctype or a comment, else `text`. */
export function contentFormatOf(content: string): "html" | "text" {
  return opensMarkup.test(content) ? "html" : "text";
}
