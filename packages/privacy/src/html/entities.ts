import { namedEntities } from "../data/html-entities.js";

const reference = /&(?:#[xX]([0-9A-Fa-f]{1,32})|#([0-9]{1,32})|([A-Za-z]{2,16}));?/g;

/** Decodes character references. `pieces` of {@link decodePieces} keep the way back; this is for values taken as a whole. */
export function decodeEntities(value: string): string {
  if (!value.includes("&")) return value;
  return value.replace(reference, (whole, hex?: string, decimal?: string, name?: string) => decoded(whole, hex, decimal, name));
}

/** A stretch of source and what it decodes to: the same text, or one character reference. */
export interface DecodedPiece {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Decodes `html[start, end)` into pieces that say where each came from. */
export function decodePieces(html: string, start: number, end: number): DecodedPiece[] {
  const source = html.slice(start, end);
  if (!source.includes("&")) return source === "" ? [] : [{ start, end, text: source }];
  const pieces: DecodedPiece[] = [];
  let from = 0;
  for (const found of source.matchAll(reference)) {
    const text = decoded(found[0], found[1], found[2], found[3]);
    if (text === found[0]) continue;
    if (found.index > from) pieces.push({ start: start + from, end: start + found.index, text: source.slice(from, found.index) });
    from = found.index + found[0].length;
    pieces.push({ start: start + found.index, end: start + from, text });
  }
  if (from < source.length) pieces.push({ start: start + from, end, text: source.slice(from) });
  return pieces;
}

function decoded(whole: string, hex: string | undefined, decimal: string | undefined, name: string | undefined): string {
  if (name !== undefined) return Object.hasOwn(namedEntities, name) ? (namedEntities[name] ?? whole) : whole;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return "\ufffd";
  return String.fromCodePoint(code);
}

/** Escapes text for use between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}
