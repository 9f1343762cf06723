/** NUL ends a string in some databases, and lone surrogates have no UTF-8: both become U+FFFD, as HTML has it. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
