/** What stands in place of removed values: found again in text that was filtered before, and never a value itself. */
const standIns = /%5BREDACTED%5D|\[REDACTED:[a-z0-9_]{1,40}\]|REDACTED/g;
const bracketed = /\[REDACTED:[a-z0-9_]{1,40}\]/g;
const wordUnit = /[\p{L}\p{N}]/u;
const opening = "[REDACTED:";
/** Longest placeholder: the opening, a kind, the bracket. */
const standInMax = 52;

/** Whether a place is inside `[REDACTED:kind]`, whose kind may look like a context word or a name. */
export function isInsideStandIn(text: string, at: number): boolean {
  const around = text.slice(Math.max(0, at - standInMax), at + standInMax);
  const offset = at - Math.max(0, at - standInMax);
  const from = around.lastIndexOf(opening, offset);
  return from >= 0 && around.indexOf("]", from) >= offset;
}

/** The first `[REDACTED:kind]` from a place on; behind the end of the text when there is none. */
export function nextStandIn(text: string, from: number): { readonly start: number; readonly end: number } {
  bracketed.lastIndex = from;
  const match = bracketed.exec(text);
  return match === null ? { start: text.length, end: text.length } : { start: match.index, end: bracketed.lastIndex };
}

/** Whether a stretch holds nothing but stand-ins and punctuation, so that there is nothing left to remove. */
export function isOnlyStandIns(text: string, start: number, end: number): boolean {
  const value = text.slice(start, end);
  if (!value.includes("REDACTED")) return isInsideStandIn(text, start) && isInsideStandIn(text, end - 1);
  return !wordUnit.test(value.replaceAll(standIns, ""));
}

/** A name as it is when what was removed of it is left out: the kind that a stand-in tells is no part of the name. */
export function withoutStandIns(name: string): string {
  return name.includes("REDACTED") ? name.replaceAll(standIns, " ") : name;
}
