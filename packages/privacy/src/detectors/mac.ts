import type { Detector, Report } from "../detector.js";
import { isAlnum, isHex } from "../text/chars.js";

/** Hardware addresses (IEEE 802 EUI-48, EUI-64): six or eight pairs with `:` or `-`, or three fours with `.` (Cisco). */
export const mac: Detector = {
  kind: "mac",
  tier: "identifier",
  anchors: [],
  readsSigns: true,
  find({ text }, _, report) {
    for (const [sign, width] of signs) {
      const code = sign.charCodeAt(0);
      let done = 0;
      for (let at = text.indexOf(sign, width); at >= 0; at = text.indexOf(sign, Math.max(at + 1, done))) {
        // Cheap test first: the same sign must come again one group later.
        if (text.charCodeAt(at + width + 1) === code) done = Math.max(done, address(text, { start: at - width, sign, width }, report));
      }
    }
  },
};

const signs = [
  [":", 2],
  ["-", 2],
  [".", 4],
] as const;

/** Reports the address that starts here, if any, and gives its end. */
function address(text: string, { start, sign, width }: { start: number; sign: string; width: number }, report: Report): number {
  const before = text.charCodeAt(start - 1);
  if (isAlnum(before) || text[start - 1] === sign || before === 0x5f) return 0;
  let groups = 0;
  let end = start;
  while (groups < 9 && isGroup(text, end, width)) {
    groups++;
    end += width;
    if (text[end] !== sign) break;
    end++;
  }
  if (text[end - 1] === sign) end--;
  if (isAlnum(text.charCodeAt(end)) || (text[end] === sign && isAlnum(text.charCodeAt(end + 1)))) return 0;
  if (width === 4 ? groups !== 3 || /^[0-9.]{14}$/.test(text.slice(start, end)) : groups !== 6 && groups !== 8) return 0;
  if (/^(?:00.){5}00|^(?:ff.){5}ff/i.test(text.slice(start, end))) return 0;
  report(start, end, "eui");
  return end;
}

function isGroup(text: string, start: number, width: number): boolean {
  for (let at = start; at < start + width; at++) if (!isHex(text.charCodeAt(at))) return false;
  return true;
}
