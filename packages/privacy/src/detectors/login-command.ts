import {
  identified,
  identifiedBare,
  wifi,
  option,
  glued,
  spaced,
  mysql,
  sshpass,
  passphrase,
  pairOf,
  call,
  calls,
  program,
} from "../data/command-shapes.js";
import type { Detector, Report } from "../detector.js";
import { NearMatch } from "../text/near-match.js";
import { isPlaceholder } from "../text/placeholders.js";
import { isMixedPassword, valueStrength } from "../text/value-strength.js";

const callsFrom = 11;
const wifiAnchor = callsFrom + calls.length;
const commandMax = 400;

/** Passwords that a command carries in its own syntax: SQL `IDENTIFIED BY '…'`, `curl -u user:password`. */
export const loginCommand: Detector = {
  kind: "password",
  tier: "floor",
  anchors: [
    "identified ",
    " -u",
    " --user",
    " --proxy-user",
    "\n-u",
    " -p",
    " -pass",
    "credential",
    "login",
    "creds",
    "user",
    ...calls,
    "wifi:",
  ],
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
      if (!programs.in(at - commandMax, at) || /^[0-9]{1,5}$/.test(secret) || valueStrength(secret, true) === 0) return;
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
