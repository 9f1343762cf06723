import type { Detector } from "../detector.js";
import { isAlnum, isBase64Url, runEnd } from "../text/chars.js";
import { matchesAt } from "../text/match-at.js";

/** Longest token that is read as one; a longer one is removed up to here and further by the shape of the rest. */
const lengthMax = 16_384;
/** Enough of a header to show its first claims. */
const headerMax = 4096;

/** `eyJ` in base64 once more, as in headers and configurations that encode everything. */
const wrapped = "ZXlK";

/**
 * JSON Web Tokens (RFC 7519) in compact form, of 2 parts (the signature cut off or empty), 3 (JWS, RFC 7515)
 * or 5 (JWE, RFC 7516). The header must decode to JSON that names `alg`, `enc` or `typ`, so other base64 of
 * JSON (`eyJ` is `{"`) stays.
 */
export const jwt: Detector = {
  kind: "jwt",
  tier: "floor",
  // `{"`, and as some libraries write it, `{ "` or `{` and a line end.
  anchors: ["eyJ", "eyAi", "ewog", "ewoJ", "ew0K", wrapped],
  find({ text, layout }, { starts, anchors }, report) {
    let done = 0;
    for (const [index, start] of starts.entries()) {
      if (
        start < done ||
        !text.startsWith(this.anchors[anchors[index] ?? 0] ?? "", start) ||
        (isGlued(text, start) && !layout.isEdge(start))
      )
        continue;
      const limit = Math.min(text.length, start + lengthMax);
      if (anchors[index] === this.anchors.indexOf(wrapped)) {
        const end = wrappedEnd(text, start, limit);
        if (end > start && isWrapped(text.slice(start, Math.min(end, start + headerMax)))) report(start, end, "base64");
        done = Math.max(done, end);
        continue;
      }
      const partEnd = (from: number): number => runEnd(text, from, limit - from, isBase64Url);
      const headerEnd = partEnd(start);
      // The next token cannot start inside this part, so a long run of `eyJ` is read once.
      done = headerEnd;
      if (text[headerEnd] !== "." || headerEnd - start > headerMax || !isHeader(text.slice(start, headerEnd))) continue;
      let end = partEnd(headerEnd + 1);
      if (end - headerEnd < 3) continue;
      for (let part = 2; part < 5 && text[end] === "." && isPartStart(text, end + 1, part); part++) end = partEnd(end + 1);
      while (text[end] === "=" && end < limit) end++;
      report(start, end, "compact");
      done = end;
    }
  },
};

function wrappedEnd(text: string, start: number, limit: number): number {
  let end = start;
  while (end < limit && (isBase64Url(text.charCodeAt(end)) || text[end] === "+" || text[end] === "/")) end++;
  while (text[end] === "=") end++;
  return end;
}

/** A part of it may end in the middle of a byte. */
function isWrapped(part: string): boolean {
  const inner = decoded(part.replaceAll("=", "").length % 4 === 1 ? part.slice(0, -1) : part);
  return isHeader(inner.slice(0, Math.max(0, inner.indexOf("."))));
}

const escapeBefore = /(?<=\\[nrt]|%[0-9A-F]{2})/iy;

/** Inside of other base64; the letter of an escape such as `\n` is not part of it, nor are the digits of `%20`. */
function isGlued(text: string, start: number): boolean {
  return isAlnum(text.charCodeAt(start - 1)) && !matchesAt(escapeBefore, text, start);
}

/** A signature may be empty (`alg: none`), but a full stop that ends a sentence is not part of the token. */
function isPartStart(text: string, at: number, part: number): boolean {
  return isBase64Url(text.charCodeAt(at)) || (part === 2 && /^["'`\s<&]?$/.test(text.charAt(at)) && text.charAt(at) !== " ");
}

const claim = /"(?:alg|enc|typ)"/;

function isHeader(part: string): boolean {
  return claim.test(decoded(part));
}

/** `""` for what is no base64. */
function decoded(part: string): string {
  try {
    return atob(part.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}
