import { describe, expect, test } from "vitest";
import { joined, noise } from "./detector-table.js";
import { redactHtml, redactText } from "../src/index.js";

const numbers = [
  ["card", "paid with ", "4111-1111-1111-1111"],
  ["card", "paid with ", "5555 5555 5555 4444"],
  ["SSN", "SSN ", "536-90-4399"],
  ["IBAN", "to ", "DE89 3704 0044 0532 0130 00"],
  ["phone", "call ", "+44 20 7946 0958"],
  ["phone", "ring ", "415-555-0132"],
  ["code", "Your verification code is ", "482 913"],
] as const;

/** The same number in other characters. */
const spellings: ReadonlyArray<readonly [name: string, spell: (text: string) => string]> = [
  ["non-breaking hyphens", (text) => text.replaceAll("-", "\u2011")],
  ["hyphens of typography", (text) => text.replaceAll("-", "\u2010")],
  ["minus signs", (text) => text.replaceAll("-", "\u2212")],
  ["narrow no-break spaces", (text) => text.replaceAll(" ", "\u202f")],
  ["thin spaces", (text) => text.replaceAll(" ", "\u2009")],
  ["figure spaces", (text) => text.replaceAll(" ", "\u2007")],
  ["no-break spaces", (text) => text.replaceAll(" ", "\u00a0")],
  ["full-width digits", (text) => text.replaceAll(/[0-9]/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))],
  ["full-width characters", (text) => text.replaceAll(/[0-9A-Z+-]/g, (unit) => String.fromCharCode(unit.charCodeAt(0) + 0xfee0))],
  ["Arabic digits", (text) => text.replaceAll(/[0-9]/g, (digit) => String.fromCharCode(0x0660 + Number(digit)))],
  ["Persian digits", (text) => text.replaceAll(/[0-9]/g, (digit) => String.fromCharCode(0x06f0 + Number(digit)))],
  ["Devanagari digits", (text) => text.replaceAll(/[0-9]/g, (digit) => String.fromCharCode(0x0966 + Number(digit)))],
  ["grapheme joiners", (text) => text.replaceAll(/([0-9])([0-9])/g, "$1\u034f$2")],
  ["tags", (text) => text.replaceAll(/([0-9])([0-9])/g, "$1\u{e0020}\u{e007f}$2")],
  ["variation selectors of plane 14", (text) => text.replaceAll(/([0-9])([0-9])/g, "$1\u{e0100}$2")],
  ["soft hyphens", (text) => text.replaceAll(/([0-9])([0-9])/g, "$1\u00ad$2")],
];

describe.each(spellings)("a number in %s", (_, spell) => {
  test.each(numbers)("goes as %s: %s%s", (_, before, number) => {
    const value = spell(number);
    expect(redactText(`${before}${value} today`, "filtered").text).toMatch(new RegExp(`^${before}\\[REDACTED:[a-z_]+\\] today$`));
    expect(redactHtml(`<p>${before}<b>${value}</b> today</p>`, "filtered").html).not.toContain(value);
  });
});

test("a token in full-width characters goes with its low line", () => {
  const token = joined("ghp", "_", noise(36)).replaceAll(/[!-~]/g, (unit) => String.fromCharCode(unit.charCodeAt(0) + 0xfee0));
  expect(redactText(`Use ${token} now`, "public").text).toBe("Use [REDACTED:api_key] now");
});

test("what prints nothing stays where nothing is removed", () => {
  const text = "flag \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}, \udb40 alone, a\u034fb, ＿";
  expect(redactText(text, "filtered").text).toBe(text);
});

/** A label and what it labels, at a blank of each place where one can stand. */
const labelled: ReadonlyArray<readonly [text: string, filtered: string]> = [
  ["Password: hunter2xY", "Password: [REDACTED:password]"],
  ["Mot de passe : hunter2xY", "Mot de passe : [REDACTED:password]"],
  ["API key: k3jH8sLq02mNvB7xZp41QwErTy", "API key: [REDACTED:secret]"],
  ["Client secret : k3jH8sLq02mNvB7xZp41QwErTy", "Client secret : [REDACTED:secret]"],
  ["Your code is 482913", "Your code is [REDACTED:one_time_code]"],
];

describe.each(["\u00a0", "\u1680", "\u2003", "\u2009", "\u202f", "\u205f", "\u3000"])("blanks as %j", (blank) => {
  test.each(labelled)("hide nothing in %j", (text, filtered) => {
    const spelled = text.replaceAll(" ", blank);
    for (const format of ["text", "markdown"] as const)
      expect(redactText(spelled, "public", { format }).text).toBe(filtered.replaceAll(" ", blank));
  });

  test("stay where nothing is removed", () => {
    const text = "Prix : 12 € « bonjour » 10 000 km".replaceAll(" ", blank);
    expect(redactText(text, "filtered").text).toBe(text);
  });
});

describe("a number that is broken over two lines", () => {
  test.each(numbers.filter(([kind]) => kind === "card" || kind === "SSN" || kind === "IBAN"))("goes as %s: %s%s", (_, before, number) => {
    const places = Array.from(number.matchAll(/[ -]/g), ({ index }) => index);
    for (const place of places) {
      for (const mark of ["\n", "\r\n", `${number.charAt(place)}\n`]) {
        const broken = number.slice(0, place) + mark + number.slice(place + 1);
        const { text } = redactText(`We were ${before}${broken} today`, "filtered");
        expect(text.replaceAll(/\s/g, " ")).toMatch(new RegExp(`^We were ${before}\\[REDACTED:[a-z_]+\\] today$`));
      }
    }
  });

  test("numbers below one another in a table are not one", () => {
    const table = "4111 1111\n1111 1111\n4242 4242\n4242 4242\n";
    expect(redactText(table, "filtered").text).toBe(table);
  });
});
