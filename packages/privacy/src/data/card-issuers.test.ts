import { expect, test } from "vitest";
import { luhn } from "../detectors/number-checks.js";
import { redactText } from "../index.js";

/** A number that starts with `prefix`, has `length` digits, and its check digit. */
function cardNumber(prefix: string, length: number): string {
  const body = `${prefix}${"5018273645091827364".slice(0, length - 1 - prefix.length)}`;
  for (let digit = 0; digit < 10; digit++) if (luhn(`${body}${digit}`)) return `${body}${digit}`;
  throw new Error("no check digit");
}

test.each([
  ["Visa", "4", 16],
  ["Mastercard", "2720", 16],
  ["American Express", "37", 15],
  ["RuPay", "60", 16],
  ["RuPay", "82", 16],
  ["RuPay", "508", 16],
  ["Verve", "506150", 19],
  ["Verve", "507900", 18],
  ["InstaPayment", "638", 16],
  ["Troy", "9792", 16],
  ["BORICA", "2205", 16],
  ["Dankort", "5019", 16],
  ["UzCard", "8600", 16],
  ["Humo", "9860", 16],
  ["Napas", "9704", 19],
  ["Maestro UK", "676770", 18],
  ["Mir", "2204", 16],
] as const)("%s: %s with %i digits", (_, prefix, length) => {
  const number = cardNumber(prefix, length);
  expect(redactText(`It was ${number} then.`, "public").text).toBe("It was [REDACTED:card] then.");
});

test.each([
  ["no issuer", "91", 16],
  ["Verve ends before", "507965", 16],
  ["UATP needs a card word", "1", 15],
] as const)("%s: %s with %i digits stays", (_, prefix, length) => {
  const text = `It was ${cardNumber(prefix, length)} then.`;
  expect(redactText(text, "public").text).toBe(text);
});
