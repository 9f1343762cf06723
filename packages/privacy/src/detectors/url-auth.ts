import type { Detector } from "../detector.js";
import { endsUrl } from "../url/url-end.js";
import { isPlaceholder } from "../text/placeholders.js";

/** Longest userinfo that is looked for: longer than any token that is put there. */
const userinfoMax = 1024;

/**
 * Userinfo of URLs in text (RFC 3986, 3.2.1): user and password, or a token alone, between `://` and the last `@` of the
 * authority. `ssh://git@host` stays: the user is the same for everyone. So do templates such as `${user}:${password}`.
 */
export const urlAuth: Detector = {
  kind: "url_auth",
  tier: "floor",
  anchors: ["://"],
  find({ text }, { starts }, report) {
    for (const colon of starts) {
      const start = colon + 3;
      const limit = Math.min(text.length, start + userinfoMax);
      let at = -1;
      for (let i = start; i < limit; i++) {
        const c = text.charCodeAt(i);
        if (c === 0x2f || c === 0x3f || c === 0x23 || endsUrl(c)) break;
        if (c === 0x40) at = i;
      }
      if (at <= start) continue;
      const userinfo = text.slice(start, at);
      if (userinfo === "git" || userinfo === "REDACTED" || userinfo.split(":").every(isPlaceholder)) continue;
      report(start, at, "url:userinfo");
    }
  },
};
