import { apartWords, inviteHosts, signInWords, strongWords } from "../data/link-words.js";
import type { Detector, Report } from "../detector.js";
import { isPlaceholder } from "../text/placeholders.js";
import { LinkReader, segmentMax } from "../url/login-link.js";
import { decodeOnce } from "../url/split-url.js";
import { endsUrl, endsUrlAt } from "../url/url-end.js";

/** Longest address that is read at once; what comes after it is read from its next word on. */
const pathMax = 16_384;
/** Longest name of a host (RFC 1035, 2.3.4). */
const hostMax = 255;
const privateSegment = /^private-[0-9a-f]{20,64}$/;
/** Segments of these words count without a host before them, as in a path that a log shows. */
const ownWords = ["private-", "login", ...apartWords, ...strongWords];

/**
 * Secrets in the paths of URLs that stand in text: the segment after `/reset/`, `/magic-link/` and the like. An address is read when a word for such links
 * is in it, from its host on, or from the word's segment when it has none.
 */
export const loginLink: Detector = {
  kind: "token",
  tier: "floor",
  anchors: [...ownWords, ...signInWords, ...inviteHosts],
  anchorsStartWords: true,
  find({ text }, { starts, anchors }, report) {
    let done = 0;
    /** How far back addresses were looked for, and where the one there starts; -1 for none. */
    let seen = 0;
    let seenStart = -1;
    /** From where on segments were read backwards last, and where the one there starts. */
    let read = 0;
    let readTo = -1;
    starts.forEach((at, index) => {
      if (at < done) return;
      const anchor = anchors[index] ?? 0;
      if (anchor >= ownWords.length + signInWords.size) {
        done = path(text, at, report);
        return;
      }
      let slash = at - 1;
      while (slash >= read && isSegmentUnit(text.charCodeAt(slash))) slash--;
      if (slash < read && readTo < at) slash = readTo;
      read = at;
      readTo = slash;
      if (at - slash > segmentMax || text.charCodeAt(slash) !== 0x2f) return;
      let start = slash + 1;
      while (start > seen && !isSchemeEnd(text, start) && (text[start - 1] === "/" || isSegmentUnit(text.charCodeAt(start - 1)))) start--;
      seenStart = isSchemeEnd(text, start) ? start : start > seen ? -1 : seenStart;
      seen = slash + 1;
      if (seenStart >= 0 || anchor < ownWords.length) done = path(text, seenStart >= 0 ? seenStart : slash, report);
    });
  },
};

function isSchemeEnd(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) === 0x2f && text.charCodeAt(at - 2) === 0x2f && text.charCodeAt(at - 3) === 0x3a;
}

/** What may stand in a segment of a path; routes of a page (`#/reset`) begin a new one. */
function isSegmentUnit(c: number): boolean {
  return c !== 0x2f && c !== 0x3f && c !== 0x3d && c !== 0x26 && !endsUrl(c);
}

/** The path of an address from its host, or from a segment, on. Returns where it ends. */
function path(text: string, start: number, report: Report): number {
  let link: LinkReader | undefined;
  let from = start;
  let at = start;
  for (; at < start + pathMax; at++) {
    const c = text.charCodeAt(at);
    if (c !== 0x2f && c !== 0x3f && c !== 0x23 && c !== 0x3b && !endsUrlAt(text, at)) continue;
    const isRoute = c === 0x23 && (text[at + 1] === "/" || text[at + 1] === "!");
    if (link === undefined) link = new LinkReader(text.slice(from, Math.min(at, from + hostMax)));
    else reportSegment(link, text.slice(from, at), from, report);
    if (c !== 0x2f && !isRoute) break;
    from = at + 1;
  }
  return at;
}

/** Reports a segment as it is written when it is the secret of its link. */
export function reportSegment(link: LinkReader, written: string, from: number, report: Report): void {
  if (link.skips(written)) return;
  // A bracket or full stop at the end belongs to markdown or to the sentence.
  const name = written.replace(/[.,)\]!:*]{1,8}$/, "");
  if (link.isSecret(decodeOnce(name)) && !isPlaceholder(name)) report(from, from + name.length, "url:link");
  // The secret address of a calendar.
  else if (privateSegment.test(name)) report(from + "private-".length, from + name.length, "url:link");
}
