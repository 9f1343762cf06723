import { walletWords as words } from "../data/number-words.js";
import type { Detector } from "../detector.js";
import { isAlnum, isHex, runEnd } from "../text/chars.js";
import { wordIndex } from "../text/word-index.js";
import { isBase58Check, isBech32, isChecksummedHex } from "./wallets/checks.js";

const bech32Prefixes = ["bc1", "tb1", "ltc1", "addr1", "cosmos1"];
/** How far from an address of Ethereum a word counts. */
const reach = 48;
const base58Max = 35;
const base58Min = 26;
const bech32Max = 110;
const hexDigits = 40;

/**
 * Addresses of wallets: Bitcoin (base58check and bech32) by their check sum, Ethereum by its mixed-case check sum or beside a word for a wallet. Those of
 * other currencies go beside a label. Hashes of commits and blocks stay.
 */
export const wallet: Detector = {
  kind: "wallet",
  tier: "identifier",
  anchors: [...words, ...bech32Prefixes, "0x"],
  anchorsStartWords: true,
  readsDigits: true,
  find(scan, hits, report) {
    const { text, layout, runStarts } = scan;
    const isStart = (at: number): boolean => !isAlnum(text.charCodeAt(at - 1)) || layout.isEdge(at);
    for (const start of runStarts) {
      const first = text.charCodeAt(start);
      // The cheapest tests first: nearly every number is shorter.
      if ((first !== 0x31 && first !== 0x33) || !isAlnum(text.charCodeAt(start + base58Min - 1)) || !isStart(start)) continue;
      const end = tokenEnd(text, start, base58Max);
      if (end - start >= base58Min && isBase58Check(text.slice(start, end))) report(start, end, "base58check");
    }
    const near = wordIndex(scan, hits, words);
    hits.starts.forEach((at, index) => {
      const anchor = hits.anchors[index] ?? 0;
      if (anchor < words.length || !isStart(at)) return;
      if (anchor === words.length + bech32Prefixes.length) {
        const end = runEnd(text, at + 2, hexDigits, isHex);
        if (end !== at + 2 + hexDigits || isAlnum(text.charCodeAt(end))) return;
        const digits = text.slice(at + 2, end);
        if (near.has(at - reach, end + reach) || near.labels(at, end)) report(at, end, "labelled");
        else if (/[a-f]/.test(digits) && /[A-F]/.test(digits) && isChecksummedHex(digits)) report(at, end, "checksum");
      } else {
        const end = tokenEnd(text, at, bech32Max);
        if (end - at > 13 && isBech32(text.slice(at, end))) report(at, end, "bech32");
      }
    });
  },
};

/** The end of the letters and digits from `start` on; `start` when there are more than `max`. */
function tokenEnd(text: string, start: number, max: number): number {
  const end = runEnd(text, start, max + 1, isAlnum);
  return end - start > max ? start : end;
}
