import type { Detector, Report } from "../detector.js";
import { isAlnum } from "../text/chars.js";
import { matchEnd } from "../text/match-at.js";

/** Larger than any key that is used (16,384-bit RSA is about 13 KB in PEM, ML-DSA less). */
const blockMax = 65_536;

const begin = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
const end = /-----END (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
/** Longest stretch without base64 (headers, a log prefix) inside a block. */
const gapMax = 160;
/** Shorter runs may be words of prose after the key. */
const base64RunMin = 16;

/**
 * Private keys in PEM (RFC 7468, RFC 5958), OpenSSH and OpenPGP (RFC 9580) armour, from BEGIN to END; without an
 * END, to the end of what can be key text. Certificates and public keys stay.
 */
export const privateKey: Detector = {
  kind: "private_key",
  tier: "floor",
  anchors: ["-----BEGIN ", "-----END ", "Private-Lines:"],
  find({ text }, { starts, anchors }, report) {
    let open: number | undefined;
    let opened = 0;
    const close = (limit: number): void => {
      if (open !== undefined) report(open, unfinishedEnd(text, opened, limit), "unfinished");
      open = undefined;
    };
    starts.forEach((at, index) => {
      if (anchors[index] === 2) return putty(text, at, report);
      const isBegin = anchors[index] === 0;
      const shapeEnd = matchEnd(isBegin ? begin : end, text, at);
      if (shapeEnd === at) {
        // BEGIN or END of something else: the key before it cannot reach past it.
        close(at);
      } else if (isBegin) {
        close(at);
        open = at;
        opened = shapeEnd;
      } else if (open !== undefined) {
        if (at - open <= blockMax) report(open, shapeEnd, "block");
        else close(at);
        open = undefined;
      }
    });
    close(text.length);
  },
};

const puttyLines = /Private-Lines: {0,2}([0-9]{1,3})\r?\n/y;
const puttyMac = /Private-MAC: {0,2}[0-9a-f]{1,128}/y;

/** The private lines of a key of PuTTY (PPK, appendix C of its manual), and the check sum behind them. */
function putty(text: string, at: number, report: Report): void {
  puttyLines.lastIndex = at;
  const count = Number(puttyLines.exec(text)?.[1] ?? 0);
  if (count === 0) return;
  let end = puttyLines.lastIndex;
  for (let line = 0; line < count && end < text.length; line++) {
    const newline = text.indexOf("\n", end);
    end = newline < 0 ? text.length : newline + 1;
  }
  end = matchEnd(puttyMac, text, end);
  report(at, text[end - 1] === "\n" ? end - 1 : end, "putty");
}

/** The end of the last long base64 run that follows without a long gap. */
function unfinishedEnd(text: string, from: number, limit: number): number {
  const stop = Math.min(limit, from + blockMax);
  let endOfKey = from;
  let run = 0;
  for (let at = from; at < stop && at - endOfKey <= gapMax + run; at++) {
    const c = text.charCodeAt(at);
    run = isAlnum(c) || c === 0x2b || c === 0x2f || c === 0x3d ? run + 1 : 0;
    if (run >= base64RunMin) endOfKey = at + 1;
  }
  return endOfKey;
}
