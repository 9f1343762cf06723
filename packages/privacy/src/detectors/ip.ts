import type { Detector } from "../detector.js";
import { isAlnum, isHex, isLetter } from "../text/chars.js";
import { matchEnd } from "../text/match-at.js";
import { wordIndex } from "../text/word-index.js";

/** Headings and labels of versions. */
const versions = ["version", "release", "firmware", "build"];
/** Longest text of an IPv6 address with an embedded IPv4 address. */
const ipv6Max = 45;
/** `v1.2.3.4`, `version to 1.2.3.4`, `>= 1.2.3.4`, `1:1.2.3.4` (the epoch of a package's version), and products with their version as in user agents (`Chrome/120.0.0.0`). */
const versionBefore =
  /(?:(?<![a-z])(?:v|ver\.?|rel\.?|version|release|build|firmware|revision|policy|sections?|sec\.?|clauses?|articles?|art\.?|chapters?|ch\.?|paragraphs?|para\.?|appendix|annex|tables?|figures?|fig\.?|items?|rules?|steps?|parts?|requirements?|req\.?|numbers?|no\.?|standards?|oid|abschnitt|kapitel|ziffer|absatz|nr\.?|abs\.?|chapitre|alinéa|sección|capítulo|cláusula|sezione|capitolo|punto|пункт|раздел)(?: to)?[\s:=-]{0,3}|[<>]= ?|(?<=[\s(])[0-9]:|§ ?|[a-z]\/)$/i;

/**
 * IPv4 addresses of exactly four octets and IPv6 addresses (RFC 4291, 2.2). Not loopback and unspecified
 * addresses, which say nothing about anyone; not versions (`v1.2.3.4`, `Chrome/120.0.0.0`) or parts of longer
 * dotted numbers such as SVG paths and OIDs.
 */
export const ip: Detector = {
  kind: "ip",
  tier: "identifier",
  anchors: [":", ...versions],
  readsDigits: true,
  find(scan, hits, report) {
    const { text, runStarts, runEnds } = scan;
    const labels = wordIndex(scan, hits, versions, 1);
    for (let run = 0; run + 3 < runStarts.length; run++) {
      const start = runStarts[run] ?? 0;
      const octetEnd = runEnds[run] ?? 0;
      if (octetEnd - start > 3 || runStarts[run + 1] !== octetEnd + 1 || text.charCodeAt(octetEnd) !== 0x2e) continue;
      const end = runEnds[run + 3] ?? 0;
      if (end - start <= 15 && isWhole(text, start, end) && isIpv4(text.slice(start, end)) && !isEveryones(text.slice(start, end))) {
        if (!versionBefore.test(text.slice(Math.max(0, start - 20), start)) && !labels.labels(start, end))
          report(start, matchEnd(prefixLength, text, end), "ipv4");
      }
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

/** CIDR notation (RFC 4632): `10.1.2.0/24`. */
const prefixLength = /\/[0-9]{1,3}(?![0-9A-Za-z/]|\.[0-9])/y;

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

/** The loopback addresses in use, the unspecified address, netmasks, and versions: of addresses whose numbers have one digit each, only servers of all are in use. */
function isEveryones(value: string): boolean {
  return /^127\.0\.[01]\.[0-9]{1,3}$|^[0-9](?:\.[0-9]){3}$|^255\.255\.[0-9]{1,3}\.0$/.test(value);
}

function isWhole(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1);
  const after = text.charCodeAt(end);
  if (isAlnum(before) || before === 0x2e || before === 0x5f || isAlnum(after) || after === 0x5f) return false;
  if (before === 0x2d && isAlnum(text.charCodeAt(start - 2))) return false;
  // `1.2.13.1-rc` is a version.
  return !((after === 0x2e && isAlnum(text.charCodeAt(end + 1))) || (after === 0x2d && isLetter(text.charCodeAt(end + 1))));
}

/** `a::b` is C++, `12::30` a time; an address with `::` has a longer group, three groups, or an IPv4 part. */
function isCredible(value: string): boolean {
  const groups = value.split(":").filter((group) => group !== "");
  return groups.length >= 3 || groups.some((group) => group.includes(".") || (group.length === 4 && /[0-9]/.test(group)));
}
