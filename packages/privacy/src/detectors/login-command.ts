import {
  call,
  calls,
  glued,
  identified,
  identifiedBare,
  mysql,
  option,
  pairOf,
  passphrase,
  program,
  spaced,
  sshpass,
  wifi,
} from "../data/command-shapes.js";
import type { Detector } from "../detector.js";
import { NearMatch } from "../text/near-match.js";
import { isPlaceholder } from "../text/placeholders.js";
import { isMixedPassword, valueStrength } from "../text/value-strength.js";

/** A syntax that carries a password. */
interface Rule {
  readonly name: string;
  /** What the syntax starts with. */
  readonly anchors: readonly string[];
  /** Sticky. The value is the group `value`, at the end except for a closing quote. */
  readonly shape: RegExp;
  readonly isValue: (value: string) => boolean;
  /** A program that must come before it, and whether in the same line and pipe. */
  readonly program?: RegExp;
  readonly isSamePipe?: boolean;
}

const commandMax = 400;
const isStrong = (value: string): boolean => valueStrength(value, true) > 0;
/** No template, and no number of a port. */
const isWritten = (value: string): boolean => !isPlaceholder(value) && !/^[0-9]{1,5}$/.test(value);
const isSecretOfUser = (value: string): boolean => {
  const secret = value.slice(value.indexOf(":") + 1).replaceAll(/["']/g, "");
  return isStrong(secret) && !/^[0-9]{1,5}$/.test(secret);
};
const sql = { name: "sql", anchors: ["identified "] };
const command = { name: "command", anchors: [" -p"], isValue: isWritten, isSamePipe: true };

/** Of those with the same anchor, the first that fits counts. */
const rules: readonly Rule[] = [
  { ...sql, shape: identifiedBare, isValue: isMixedPassword },
  { ...sql, shape: identified, isValue: (value) => !isPlaceholder(value) && value !== "password" },
  { ...command, anchors: [" -u", " --user", " --proxy-user", "\n-u"], shape: option, isValue: isSecretOfUser, program, isSamePipe: false },
  { ...command, shape: glued, program: mysql },
  { ...command, shape: spaced, program: sshpass },
  { ...command, shape: passphrase },
  { name: "call", anchors: calls, shape: call, isValue: isStrong },
  { name: "pair", anchors: ["credential", "login", "creds", "user"], shape: pairOf, isValue: isMixedPassword },
  { name: "wifi", anchors: ["wifi:"], shape: wifi, isValue: (value) => !isPlaceholder(value) },
];
const anchors = [...new Set(rules.flatMap((rule) => rule.anchors))];
/** By anchor, the indices of its rules. */
const owned = anchors.map((anchor) => [...rules.keys()].filter((index) => rules[index]?.anchors.includes(anchor)));

/** Passwords that a command carries in its own syntax: SQL `IDENTIFIED BY '…'`, `curl -u user:password`. */
export const loginCommand: Detector = {
  kind: "password",
  tier: "floor",
  anchors,
  find({ text }, { starts, anchors: found }, report) {
    const programs = rules.map((rule) => rule.program && new NearMatch(text, rule.program));
    starts.forEach((at, index) => {
      for (const which of owned[found[index] ?? 0] ?? []) {
        const rule = rules[which];
        if (rule === undefined || programs[which]?.in(at - commandMax, at) === false) continue;
        rule.shape.lastIndex = at;
        const match = rule.shape.exec(text);
        const value = match?.groups?.["value"];
        if (match === null || value === undefined || !rule.isValue(value)) continue;
        // The program is at the other side of a pipe, or in another line.
        if (rule.isSamePipe === true && rule.program !== undefined && commandBefore(text, at).search(rule.program) < 0) continue;
        const start = match.index + match[0].lastIndexOf(value);
        return report(start, start + value.length, rule.name);
      }
    });
  },
};

/** The command up to here: what comes after the last pipe, semicolon or line end. */
function commandBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - commandMax), at);
  return before.slice(Math.max(before.lastIndexOf("|"), before.lastIndexOf(";"), before.lastIndexOf("\n")) + 1);
}
