import type { Detector } from "../detector.js";
import { endsUrl } from "../url/url-end.js";
import { isPlaceholder } from "../text/placeholders.js";

/** Longest userinfo that is looked for: longer than any token that is put there. */
const userinfoMax = 1024;

/** What ends the authority of a URL that is encoded in another one. */
const encodedEnd = /^%(?:2f|3f|23|26|5c)/i;

/**
 * Userinfo of URLs in text (RFC 3986, 3.2.1): user and password, or a token alone, between `://` and the last `@` of the
 * authority, also where the URL is percent-encoded in another one. `ssh://git@host` stays: the user is the same for
 * everyone. So do templates such as `${user}:${password}`.
 */
export const urlAuth: Detector = {
  kind: "url_auth",
  tier: "floor",
  anchors: ["://", "%3A%2F%2F"],
  find({ text }, { starts, anchors }, report) {
    starts.forEach((colon, index) => {
      const isEncoded = anchors[index] === 1;
      const start = colon + (isEncoded ? 9 : 3);
      const end = userinfoEnd(text, start, isEncoded);
      if (end <= start) return;
      const userinfo = text.slice(start, end);
      const parts = isEncoded ? userinfo.split(/:|%3A/i) : userinfo.split(":");
      if (userinfo === "git" || userinfo === "REDACTED" || parts.every(isPlaceholder)) return;
      report(start, end, "url:userinfo");
    });
  },
};

/** Where the last `@` of the authority is; -1 without one. */
function userinfoEnd(text: string, start: number, isEncoded: boolean): number {
  const limit = Math.min(text.length, start + userinfoMax);
  let at = -1;
  for (let i = start; i < limit; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x2f || c === 0x3f || c === 0x23 || endsUrl(c)) break;
    if (c === 0x40) at = i;
    if (!isEncoded) continue;
    if (c === 0x26) break;
    if (c !== 0x25) continue;
    const escape = text.slice(i, i + 3);
    if (encodedEnd.test(escape)) break;
    if (escape === "%40") at = i;
  }
  return at;
}
