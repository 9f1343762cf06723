import { describe, expect, test } from "vitest";
import { explain, type PrivacyLevel, redactHtml, redactText } from "../src/index.js";
import { cardCodes, noCardCodes } from "./codes/card-codes.js";
import { noOneTimeCodes, oneTimeCodes } from "./codes/one-time-codes.js";
import { noPins, pins } from "./codes/pins.js";
import { noRecoveryCodes, recoveryCodes } from "./codes/recovery-codes.js";
import { noSetupKeys, setupKeys } from "./codes/setup-keys.js";
import { base32, digits, hex, letters, type Random, seeded } from "./layouts/random.js";

/** Two digits that differ, so that a number is no filler. */
const number = (count: number) => (random: Random) => `${random.text(count - 2, "13456789")}27`;
const grouped = (text: string) => text.replaceAll(/(.{4})(?=.)/g, "$1 ");

const tables = [
  {
    kind: "one-time codes",
    removed: oneTimeCodes,
    kept: noOneTimeCodes,
    values: [number(6), number(6), (random: Random) => `${random.text(3, "13456789")} ${random.text(3, digits)}`],
  },
  {
    kind: "card verification values",
    removed: cardCodes,
    kept: noCardCodes,
    values: [(random: Random) => `${random.text(1, "13456789")}27`, (random: Random) => random.text(3, "3456789")],
  },
  { kind: "PINs", removed: pins, kept: noPins, values: [number(4), (random: Random) => random.text(4, "3456789")] },
  {
    kind: "set-up keys",
    removed: setupKeys,
    kept: noSetupKeys,
    values: [
      (random: Random) => `J${random.text(14, base32)}4`,
      (random: Random) => `K5${random.text(28, base32)}XQ`,
      (random: Random) => grouped(`M${random.text(14, base32)}7`),
      (random: Random) => grouped(`n${random.text(30, base32)}3`.toLowerCase()),
    ],
  },
  {
    kind: "recovery codes",
    removed: recoveryCodes,
    kept: noRecoveryCodes,
    values: [
      (random: Random) => `${random.text(4, digits)}-${random.text(4, digits)}`,
      (random: Random) => `b${random.text(4, hex)}-${random.text(4, hex)}7`,
      number(8),
      (random: Random) => `${random.text(4, letters)}-7${random.text(3, letters)}-${random.text(4, letters)}`,
    ],
  },
] as const;

const levels: readonly PrivacyLevel[] = ["public", "private", "filtered"];
const kinds = ["one_time_code", "cvv", "pin", "setup_key", "recovery_code"];
const plain = (text: string) => text.replaceAll(/\s/g, "");
const page = (text: string) =>
  `<p>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("\n", "<br>").replaceAll("\t", "</p><p>")}</p>`;

describe.each(tables)("$kind", ({ removed, kept, values }) => {
  test.each(removed)("removes the code from %j at every level", (text) => {
    const random = seeded(text.length);
    for (const make of values) {
      const value = make(random);
      // A sign in a group would end the parameter of an address.
      if (text.includes("otpauth:") && value.includes(" ")) continue;
      const at = text.lastIndexOf("*");
      const whole = text.slice(0, at) + value + text.slice(at + 1);
      for (const level of levels) {
        const once = redactText(whole, level).text;
        expect(plain(once)).not.toContain(plain(value));
        expect(redactText(once, level).text).toBe(once);
      }
    }
  });

  test.each(removed.filter((text) => !/["|\t]/.test(text) && !text.includes("otpauth:")))(
    "removes the code from a page with %j",
    (text) => {
      const random = seeded(text.length);
      for (const make of values) {
        const value = make(random);
        const at = text.lastIndexOf("*");
        for (const level of levels)
          expect(plain(redactHtml(page(text.slice(0, at) + value + text.slice(at + 1)), level).html)).not.toContain(plain(value));
      }
    },
  );

  test.each(kept)("keeps %j", (text) => {
    expect(explain(text, "private").filter(({ kind }) => kinds.includes(kind))).toEqual([]);
  });
});
