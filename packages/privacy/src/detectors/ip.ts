import type { Detector } from "../detector.js";
import {
  addressWordPrefixes,
  port,
  prefixLength,
  versionBefore,
  versionHeading,
  versionSuffix,
  wholeAddressWords,
} from "../data/ip-words.js";
import { isAlnum, isHex } from "../text/chars.js";
import { matchEnd, matchesAt } from "../text/match-at.js";
import type { TextScan } from "../text/scan.js";
import type { Cell } from "../text/table.js";
import { type WordIndex, wordIndex } from "../text/word-index.js";

const addressWords = [...wholeAddressWords, ...addressWordPrefixes];
/** Longest text of an IPv6 address with an embedded IPv4 address. */
const ipv6Max = 45;
/** How far before a number a word for addresses may start. */
const wordReach = 24;

/**
 * IPv4 addresses of exactly four octets and IPv6 addresses (RFC 4291, 2.2). Not loopback and unspecified
 * addresses, which say nothing about anyone; not versions (`v1.2.3.4`, `Chrome/120.0.0.0`) or parts of longer
 * dotted numbers such as SVG paths and OIDs.
 */
export const ip: Detector = {
  kind: "ip",
  tier: "identifier",
  anchors: [":", ...addressWords],
  readsDigits: true,
  find(scan, hits, report) {
    const { text, layout, runStarts, runEnds } = scan;
    const anchors = hits.anchors.map((anchor, index) => {
      const word = wholeAddressWords[anchor - 1];
      return word === undefined || layout.endsWord((hits.starts[index] ?? 0) + word.length) ? anchor : 0;
    });
    const words = wordIndex(scan, { ...hits, anchors }, addressWords, 1);
    let versions: ReadonlySet<number> | undefined;
    for (let run = 0; run + 3 < runStarts.length; run++) {
      const start = runStarts[run] ?? 0;
      const octetEnd = runEnds[run] ?? 0;
      if (octetEnd - start > 3 || runStarts[run + 1] !== octetEnd + 1 || text.charCodeAt(octetEnd) !== 0x2e) continue;
      const end = runEnds[run + 3] ?? 0;
      if (end - start > 15 || !isWhole(text, start, end) || !isIpv4(text.slice(start, end)) || isLocalOrMask(text.slice(start, end)))
        continue;
      if (isMostlyVersion(text, { start, end }, words) || versionBefore.test(text.slice(Math.max(0, start - 20), start))) continue;
      versions ??= versionPlaces(scan);
      if (!versions.has(start)) report(start, matchEnd(prefixLength, text, end), "ipv4");
    }
    let done = 0;
    for (const [index, colon] of hits.starts.entries()) {
      if (hits.anchors[index] !== 0) continue;
      // `key: value` and `://` are most colons; an address has a digit or a colon on both sides, or ends in `::`.
      if (colon < done || !(isHex(text.charCodeAt(colon + 1)) || text[colon + 1] === ":" || text[colon - 1] === ":")) continue;
      let start = colon;
      while (start > done && colon - start < 4 && isHex(text.charCodeAt(start - 1))) start--;
      let end = colon;
      const limit = Math.min(text.length, start + ipv6Max + 1);
      while (end < limit && (isHex(text.charCodeAt(end)) || text[end] === ":" || text[end] === ".")) end++;
      done = Math.max(colon + 1, end - 5);
      const last = trimmedEnd(text, start, end);
      const value = text.slice(start, last);
      if (last - start > ipv6Max || /[\w:.]/.test(text.charAt(start - 1)) || /[\w:]/.test(text.charAt(last))) continue;
      if (value !== "::" && value !== "::1" && isCredible(value) && URL.canParse(`http://[${value}]/`)) {
        report(start, matchEnd(prefixLength, text, last), "ipv6");
        done = last;
      }
    }
  },
};

/** A full stop or colon at the end is punctuation. */
function trimmedEnd(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && (text[last - 1] === "." || (text[last - 1] === ":" && text[last - 2] !== ":"))) last--;
  return last;
}

function isIpv4(value: string): boolean {
  const octets = value.split(".");
  return octets.length === 4 && octets.every((octet) => /^(?:0|[1-9][0-9]{0,2})$/.test(octet) && Number(octet) <= 255);
}

/** The loopback addresses in use, the unspecified address, and netmasks. */
function isLocalOrMask(value: string): boolean {
  return /^127\.0\.[01]\.[0-9]{1,3}$|^0\.0\.0\.0$|^255\.255\.[0-9]{1,3}\.0$/.test(value);
}

/** Addresses whose numbers have one digit each are rare, and such numbers mostly versions: one counts in a URL, behind `@`, with a port or prefix length, or with a word for addresses beside it. */
function isMostlyVersion(text: string, { start, end }: Cell, words: WordIndex): boolean {
  if (end - start !== 7 || text[start - 1] === "@" || text.slice(start - 2, start) === "//") return false;
  if (matchesAt(port, text, end) || matchesAt(prefixLength, text, end)) return false;
  return !words.has(start - wordReach, start) && !words.labels(start, end);
}

/** Where values stand in the cells that versions have: in the column, beside or below a heading that says nothing else. */
function versionPlaces({ text, layout }: TextScan): ReadonlySet<number> {
  const places = new Set<number>();
  for (const { 0: word, index } of text.matchAll(versionHeading)) {
    layout.places(index, index + word.length, ({ start, by }) => {
      if (by === "column" || by === "cell" || by === "below") places.add(start);
    });
  }
  return places;
}

function isWhole(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1);
  const after = text.charCodeAt(end);
  if (isAlnum(before) || before === 0x2e || before === 0x5f || isAlnum(after) || after === 0x5f) return false;
  if (before === 0x2d && isAlnum(text.charCodeAt(start - 2))) return false;
  return !((after === 0x2e && isAlnum(text.charCodeAt(end + 1))) || matchesAt(versionSuffix, text, end));
}

/** `a::b` is C++, `12::30` a time; an address with `::` has a longer group, three groups, or an IPv4 part. */
function isCredible(value: string): boolean {
  const groups = value.split(":").filter((group) => group !== "");
  return groups.length >= 3 || groups.some((group) => group.includes(".") || (group.length === 4 && /[0-9]/.test(group)));
}
