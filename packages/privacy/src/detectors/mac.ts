import type { Detector } from "../detector.js";
import { isAlnum, isHex } from "../text/chars.js";

/** Hardware addresses (IEEE 802 EUI-48, EUI-64): six or eight pairs with `:` or `-`, or three fours with `.` (Cisco). */
export const mac: Detector = {
  kind: "mac",
  tier: "identifier",
  anchors: [":", "-", "."],
  find({ text }, { starts, anchors }, report) {
    let done = 0;
    starts.forEach((at, index) => {
      if (at < done) return;
      const width = anchors[index] === 2 ? 4 : 2;
      const start = at - width;
      // Cheap test first: the same sign must come again one group later.
      if (text.charCodeAt(at + width + 1) !== text.charCodeAt(at) || start < 0) return;
      const sign = text.charAt(at);
      const before = text.charCodeAt(start - 1);
      if (isAlnum(before) || text[start - 1] === sign || before === 0x5f) return;
      let groups = 0;
      let end = start;
      while (groups < 9 && isGroup(text, end, width)) {
        groups++;
        end += width;
        if (text[end] !== sign) break;
        end++;
      }
      if (text[end - 1] === sign) end--;
      if (isAlnum(text.charCodeAt(end)) || (text[end] === sign && isAlnum(text.charCodeAt(end + 1)))) return;
      if (width === 4 ? groups !== 3 || /^[0-9.]{14}$/.test(text.slice(start, end)) : groups !== 6 && groups !== 8) return;
      if (/^(?:00.){5}00|^(?:ff.){5}ff/i.test(text.slice(start, end))) return;
      report(start, end, "eui");
      done = end;
    });
  },
};

function isGroup(text: string, start: number, width: number): boolean {
  for (let at = start; at < start + width; at++) if (!isHex(text.charCodeAt(at))) return false;
  return true;
}
