import type { Detector } from "../detector.js";
import { matchEnd } from "../text/match-at.js";

/** Pairs with the same sign, six or eight of them, and three fours with dots, one of which has a letter. */
const signs = [
  { sign: ":", width: 2, shape: /(?<![\w:])[0-9a-f]{2}(?::[0-9a-f]{2}){5}(?:(?::[0-9a-f]{2}){2})?(?![0-9A-Za-z]|:[0-9A-Za-z])/iy },
  { sign: "-", width: 2, shape: /(?<![\w-])[0-9a-f]{2}(?:-[0-9a-f]{2}){5}(?:(?:-[0-9a-f]{2}){2})?(?![0-9A-Za-z]|-[0-9A-Za-z])/iy },
  {
    sign: ".",
    width: 4,
    shape: /(?<![\w.])(?=[0-9.]{0,13}[a-f])[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}(?![0-9A-Za-z]|\.[0-9A-Za-z])/iy,
  },
];
const everyones = /^(?:00.){5}00|^(?:ff.){5}ff/i;

/** Hardware addresses (IEEE 802 EUI-48, EUI-64): six or eight pairs with `:` or `-`, or three fours with `.` (Cisco). */
export const mac: Detector = {
  kind: "mac",
  tier: "identifier",
  anchors: [],
  readsSigns: true,
  find({ text }, _, report) {
    for (const { sign, width, shape } of signs) {
      for (let at = text.indexOf(sign, width); at >= 0; at = text.indexOf(sign, at + 1)) {
        // Cheap test first: the same sign must come again one group later.
        if (text[at + width + 1] !== sign) continue;
        const end = matchEnd(shape, text, at - width);
        if (end < at || everyones.test(text.slice(at - width, end))) continue;
        report(at - width, end, "eui");
        at = end;
      }
    }
  },
};
