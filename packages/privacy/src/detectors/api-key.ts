import { vendorTokens } from "../data/vendor-tokens.js";
import type { Detector } from "../detector.js";
import { isAlnum, isBase64Url } from "../text/chars.js";
import { matchEnd, matchesAt } from "../text/match-at.js";
import { isPlaceholder } from "../text/placeholders.js";

const shapes = vendorTokens.map(({ shape }) => new RegExp(shape, "y"));
const here = [0, 0] as const;
/** The dot of a Discord bot token comes after the account id in base64, and again six characters on. */
const discordShape = /[A-Z][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}/y;

/**
 * Tokens with a vendor's mark (table in `data/vendor-tokens.ts`): the mark is found by the shared scan, then the
 * exact shape must hold. Examples and masks (`AKIA…EXAMPLE`, `xxxxxxxx`) stay.
 */
export const apiKey: Detector = {
  kind: "api_key",
  tier: "floor",
  anchors: vendorTokens.map(({ anchor }) => anchor),
  readsSigns: true,
  find({ text, layout }, { starts, anchors }, report) {
    for (let at = text.indexOf("."); at >= 0; at = text.indexOf(".", at + 1)) {
      if (text.charCodeAt(at + 7) === 0x2e) at = Math.max(at, discord(text, at, report) - 1);
    }
    let done = 0;
    let doneWhich = -1;
    let last: string | undefined;
    // Right behind a token another of its kind may start.
    const isInside = (start: number, which: number): boolean =>
      vendorTokens[which]?.glued !== true && isGlued(text, start) && !layout.isEdge(start) && !(start === done && which === doneWhich);
    starts.forEach((at, index) => {
      const which = anchors[index] ?? 0;
      // Of what repeats inside a token or a mask nothing is read again.
      if (at < done && (last === undefined || last === vendorTokens[which]?.vendor)) return;
      const token = vendorTokens[which];
      const shape = shapes[which];
      if (token?.before === undefined && isInside(at, which)) return;
      // The scan folds case, the mark does not.
      if (token === undefined || shape === undefined || !text.startsWith(token.anchor, at)) return;
      const [least, most] = token.before ?? here;
      for (let start = Math.max(0, at - most); start <= at - least; start++) {
        if (token.before !== undefined && isInside(start, which)) continue;
        if (!matchesAt(shape, text, start)) continue;
        done = shape.lastIndex;
        doneWhich = which;
        last = isPlaceholder(text.slice(start, done)) ? token.vendor : undefined;
        if (last === undefined) report(start, done, `vendor:${token.vendor}`);
        return;
      }
    });
  },
};

/** A mark in the middle of a word or of other base64 is chance; the letter of an escape such as `\n` is not a word. */
function isGlued(text: string, start: number): boolean {
  if (!isAlnum(text.charCodeAt(start - 1))) return false;
  return !(text[start - 2] === "\\" && /[nrt]/.test(text.charAt(start - 1)));
}

function discord(text: string, dot: number, report: (start: number, end: number, rule: string) => void): number {
  let start = dot;
  while (start > 0 && dot - start < 29 && isBase64Url(text.charCodeAt(start - 1))) start--;
  const end = matchEnd(discordShape, text, start);
  if (end === start) return 0;
  report(start, end, "vendor:discord");
  return end;
}
