const encoder = new TextEncoder();

/** Bytes of `text` as UTF-8. The length in UTF-16 units is never more than the bytes, so long strings need no encoding. */
export function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}

/** Whether `text` takes at most `bytesMax` bytes as UTF-8; encodes only where the length alone cannot tell. */
export function fitsUtf8(text: string, bytesMax: number): boolean {
  if (text.length > bytesMax) return false;
  // A UTF-16 unit takes at most three bytes.
  return text.length * 3 <= bytesMax || utf8Bytes(text) <= bytesMax;
}
