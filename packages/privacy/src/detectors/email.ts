import type { Detector } from "../detector.js";
import { isAlnum, isWordish } from "../text/chars.js";
import { endsUrl } from "../url/url-end.js";

/** RFC 5321, 4.5.3.1: at most 64 octets before the `@`, 255 after it. */
const localMax = 64;
const domainMax = 255;
/** Names of files and of package versions end like a domain and are none. */
const fileEnding = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|js|mjs|cjs|ts|tsx|jsx|json|map|html?|pdf|zip|gz|tgz|woff2?|ttf|mp[34]|webm)$/i;
/** A top-level domain has letters only (or is punycode): `1.2.3` is a version. */
const topLabel = /^(?:xn--[^.]{1,59}|[A-Za-z\u0080-\uffff]{2,63})$/;

/**
 * Email addresses: atoms of RFC 5322 plus Unicode letters (RFC 6531) before `@` or `%40`, a domain of at least
 * two labels after it (IDN included). Not `name@2x.png`, `pkg@1.2.3`, `@scope/pkg` or `git@host:path`.
 */
export const email: Detector = {
  kind: "email",
  tier: "contact",
  anchors: ["@", "%40"],
  find({ text }, { starts, anchors }, report) {
    starts.forEach((at, index) => {
      const after = at + (anchors[index] === 0 ? 1 : 3);
      const end = domainEnd(text, after);
      if (end === after) return;
      const start = localStart(text, at);
      if (start === at || isGitRemote(text, start, at, end) || isUserinfo(text, start)) return;
      report(start, end, anchors[index] === 0 ? "address" : "encoded");
    });
  },
};

function localStart(text: string, at: number): number {
  let start = at;
  const limit = Math.max(0, at - localMax);
  while (start > limit && isLocal(text, start - 1)) start--;
  // The apostrophe of `o'neil` is part of a name; any other is a quote.
  if (/(?<![A-Za-z0-9])[OoDd]['’]$/.test(text.slice(Math.max(0, start - 3), start))) start -= 2;
  // An address starts with a letter or a digit; dots and dashes before it belong to the sentence.
  while (start < at && !isWordish(text.charCodeAt(start))) start++;
  // In source text the letter of an escape such as \n comes before the address.
  if (text[start - 1] === "\\" && /[nrt]/.test(text.charAt(start))) start++;
  // A percent escape of another character, such as %3D, is not part of the address either.
  if (text[start - 1] === "%" && /^[0-9A-F]{2}/i.test(text.slice(start, start + 2)) && start + 2 < at) start += 2;
  return start;
}

function isLocal(text: string, at: number): boolean {
  const c = text.charCodeAt(at);
  if (isWordish(c)) return true;
  // . _ - + ' ~ # ! $ * ^ are atoms in use; = & ? / and others are syntax around an address.
  if (c === 0x2e || c === 0x5f || c === 0x2d || c === 0x2b) return true;
  return c === 0x25 && /^%2[Bb]/.test(text.slice(at, at + 3));
}

function domainEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + domainMax);
  let at = from;
  let end = from;
  let labels = 0;
  for (;;) {
    const labelStart = at;
    while (at < limit && (isWordish(text.charCodeAt(at)) || text[at] === "-")) at++;
    if (at === labelStart || text[labelStart] === "-") break;
    labels++;
    if (labels >= 2 && topLabel.test(text.slice(labelStart, at))) end = at;
    if (text[at] !== ".") break;
    at++;
  }
  if (end === from || fileEnding.test(text.slice(from, end))) return from;
  while (text[end - 1] === "-") end--;
  return end;
}

/** `git@host:owner/repo` is an address of a repository, the same for everyone. */
function isGitRemote(text: string, start: number, at: number, end: number): boolean {
  return text.slice(start, at) === "git" && text[end] === ":" && (isAlnum(text.charCodeAt(end + 1)) || text[end + 1] === "/");
}

const authorityMax = 256;

/** In `https://me:secret@host` the host is no address: what is before the `@` is for the rule of userinfo. */
function isUserinfo(text: string, start: number): boolean {
  for (let at = start - 1; at >= 0 && start - at <= authorityMax; at--) {
    const c = text.charCodeAt(at);
    if (c === 0x2f) return text[at - 1] === "/" && text[at - 2] === ":";
    if (endsUrl(c) || c === 0x3f || c === 0x23) return false;
  }
  return false;
}
