import type { Detector, Report } from "../detector.js";
import { NearMatch } from "../text/near-match.js";
import { isPlaceholder } from "../text/placeholders.js";
import { isMixedPassword, valueStrength } from "../text/value-strength.js";

const identified =
  /identified\s{1,4}(?:with\s{1,4}[a-z0-9_]{1,40}\s{1,4})?(?:by|as)\s{1,4}(?:password\s{1,4})?(["'])([^"'\n\\]{1,200})\1/iy;
/** Without quotes the value must look like a password. */
const identifiedBare = /identified\s{1,4}(?:with\s{1,4}[a-z0-9_]{1,40}\s{1,4})?by\s{1,4}(?:password\s{1,4})?([^\s"';,()]{6,64})/iy;
/** The text of a QR code for a network: `WIFI:T:WPA;S:name;P:key;;`. */
const wifi = /wifi:(?:[A-OQ-Z]{1,4}:(?:[^;\\\n]|\\.){0,64};){0,5}P:((?:[^;\\\n]|\\.){4,64});/iy;
const option = /(?:-u|--user|--proxy-user)[ =]{1,2}(["']?)([^\s"':]{0,100}:["']?[^\s"']{1,200}["']?)\1/y;
/** `mysql -psecret`, glued as it must be; `sshpass -p secret` and others that take it apart. */
const glued = /-p(["']?)([^\s"'-][^\s"']{3,60})\1(?![^\s;|&)])/y;
const spaced = /-p[ ]{1,2}(["']?)([^\s"'-][^\s"']{3,60})\1/y;
const mysql = /\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb)\b/;
const sshpass = /\b(?:sshpass|psexec|mongo[a-z]{0,7}|useradd|usermod|cqlsh|(?:docker|podman|az|oc|helm|skopeo) (?:registry )?login)\b/i;
/** `openssl … -passin pass:secret`. */
const passphrase = /pass(?:in|out|word)?[ ]{1,2}(["']?)pass:([^\s"']{3,100})\1/y;
/** `Login: anna / secret`, `credentials are admin / secret`. */
const pairOf =
  /(?:credentials?|creds|login)(?: details| data)?(?: are| is)?[ ]?:?[ ]{1,2}["'`]?[A-Za-z0-9_.@+-]{2,60}["'`]?[ ]{1,2}[/|][ ]{1,2}["'`]?([^\s"'`,;]{6,64})/iy;
/** A user and a password as the arguments of a call: `new NetworkCredential("user", "secret")`, `auth=("user", "secret")`. */
const call = /[ ]?=?\(\s{0,4}(?:"[^"\n]{0,80}"|'[^'\n]{0,80}'|[A-Za-z0-9_.]{1,60})\s{0,4},\s{0,4}(["'])([^"'\s\\]{3,100})\1/y;
const calls = [
  "networkcredential",
  "usernamepasswordcredentials",
  "passwordauthentication",
  "httpbasicauth",
  "basicauth",
  "basic_auth",
  ".login",
  " auth",
];
const callsFrom = 10;
const wifiAnchor = callsFrom + calls.length;
/** A program that takes `-u user:password` must come before it in the same command. */
const program = /\b(?:curl|wget|http|https|mosquitto_pub|mosquitto_sub|smbclient|mysql)\b/;
const commandMax = 400;

/** Passwords that a command carries in its own syntax: SQL `IDENTIFIED BY '…'`, `curl -u user:password`. */
export const loginCommand: Detector = {
  kind: "password",
  tier: "floor",
  anchors: ["identified ", " -u", " --user", " --proxy-user", "\n-u", " -p", " -pass", "credential", "login", "creds", ...calls, "wifi:"],
  find({ text }, { starts, anchors }, report) {
    const programs = new NearMatch(text, program);
    starts.forEach((at, index) => {
      if (anchors[index] === 0) {
        identifiedBare.lastIndex = at;
        const bare = identifiedBare.exec(text)?.[1];
        if (bare !== undefined && isMixedPassword(bare))
          return report(identifiedBare.lastIndex - bare.length, identifiedBare.lastIndex, "sql");
        identified.lastIndex = at;
        const [whole, , value = ""] = identified.exec(text) ?? [];
        if (whole === undefined || isPlaceholder(value) || value === "password") return;
        report(identified.lastIndex - 1 - value.length, identified.lastIndex - 1, "sql");
        return;
      }
      if (anchors[index] === wifiAnchor) {
        wifi.lastIndex = at;
        const key = wifi.exec(text)?.[1];
        if (key !== undefined && !isPlaceholder(key)) report(wifi.lastIndex - 1 - key.length, wifi.lastIndex - 1, "wifi");
        return;
      }
      if (anchors[index] === 5 || anchors[index] === 6) return password(text, at + 1, report);
      const name = calls[(anchors[index] ?? 0) - callsFrom];
      if (name !== undefined) {
        call.lastIndex = at + name.length;
        const value = call.exec(text)?.[2];
        if (value !== undefined && valueStrength(value, true) > 0) report(call.lastIndex - 1 - value.length, call.lastIndex - 1, "call");
        return;
      }
      if ((anchors[index] ?? 0) > 6) {
        pairOf.lastIndex = at;
        const value = pairOf.exec(text)?.[1]?.replace(/[.)]{1,4}$/, "");
        if (value !== undefined && isMixedPassword(value)) report(pairOf.lastIndex - value.length, pairOf.lastIndex, "pair");
        return;
      }
      option.lastIndex = at + 1;
      const [whole, quote = "", value = ""] = option.exec(text) ?? [];
      if (whole === undefined) return;
      const secret = value.slice(value.indexOf(":") + 1).replaceAll(/["']/g, "");
      if (valueStrength(secret, true) === 0 || /^[0-9]{1,5}$/.test(secret) || !programs.in(at - commandMax, at)) return;
      const end = option.lastIndex - quote.length;
      report(end - value.length, end, "command");
    });
  },
};

/** The command up to here: what comes after the last pipe, semicolon or line end. */
function commandBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - commandMax), at);
  return before.slice(Math.max(before.lastIndexOf("|"), before.lastIndexOf(";"), before.lastIndexOf("\n")) + 1);
}

function password(text: string, at: number, report: Report): void {
  for (const [shape, program] of [
    [glued, mysql],
    [spaced, sshpass],
    [passphrase, undefined],
  ] as const) {
    shape.lastIndex = at + (shape === passphrase ? 1 : 0);
    const [whole, quote = "", value = ""] = shape.exec(text) ?? [];
    if (
      whole === undefined ||
      isPlaceholder(value) ||
      /^[0-9]{1,5}$/.test(value) ||
      (program !== undefined && !program.test(commandBefore(text, at)))
    )
      continue;
    const end = shape.lastIndex - quote.length;
    report(end - value.length, end, "command");
    return;
  }
}
