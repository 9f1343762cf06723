import fc from "fast-check";
import { joined, noise } from "./detector-table.js";

/** Values of every kind, as they are found in pages; none of them is anyone's. */
export const planted: ReadonlyArray<readonly [kind: string, value: string]> = [
  ["email", "jo.van@example.org"],
  ["phone", "+44 20 7946 0958"],
  ["phone", "(415) 555-0132"],
  ["card", "4111 1111 1111 1111"],
  ["card", "5555555555554444"],
  ["iban", "DE89 3704 0044 0532 0130 00"],
  ["us_ssn", "536-90-4399"],
  ["national_id", "12345678Z"],
  ["national_id", "131052-308T"],
  ["ip", "203.0.113.77"],
  ["mac", "00:1a:2b:3c:4d:5e"],
  ["api_key", joined("ghp", "_", noise(36))],
  ["api_key", joined("sk", "_live_", noise(24))],
  [
    "jwt",
    joined(Buffer.from('{"alg":"HS256"}').toString("base64url"), ".", Buffer.from('{"sub":"1"}').toString("base64url"), ".", noise(30)),
  ],
  ["private_key", joined("-----BEGIN ", "PRIVATE KEY-----\n", noise(64), "\n-----END ", "PRIVATE KEY-----")],
];

const glue = fc.constantFrom(
  " ",
  "\n",
  ", ",
  "; ",
  ": ",
  " - ",
  "\t",
  '"',
  "'",
  "(",
  ")",
  " | ",
  "<",
  ">",
  "=",
  "/",
  "https://a.example/",
  "?q=",
  "&token=",
  "password: ",
  "phone ",
  "card ",
  "SSN ",
  "IBAN ",
  "\u200b",
  "é",
  "漢字",
  "\u{1f600}",
  "[",
  "](",
  "`",
  "REDACTED",
  "[REDACTED:email]",
  "\\n",
  "\\",
  "\\_",
  "\\[",
  "{",
  "}",
  "%40",
  "@",
  ".",
  "-",
  "+",
  "0",
  "12",
  "key",
  "Bearer ",
);
const word = fc.oneof(
  fc.constantFrom("the", "quick", "brown", "fox", "page", "name", "value", "2026-01-31", "v1.2.3", "total 1,234.50"),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "grapheme", maxLength: 8 }),
);

/** Text with values planted among words and signs that detectors look at. */
export const messyText = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: word },
      { weight: 3, arbitrary: glue },
      { weight: 2, arbitrary: fc.constantFrom(...planted).map(([, value]) => value) },
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));

/** JSON with values planted as strings, numbers and keys. */
export const messyJson = fc.object({
  maxDepth: 3,
  key: fc.oneof(fc.constantFrom("name", "email", "password", "token", "card", 'a"b'), fc.string({ maxLength: 8 })),
  values: [
    messyText,
    fc.integer(),
    fc.constant(4_111_111_111_111_111),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  ],
});

const tag = fc.constantFrom("p", "b", "a", "div", "span", "td", "script", "style", "svg", "textarea", "title", "address", "br", "input");
const attribute = fc
  .tuple(
    fc.constantFrom("href", "title", "value", "type", "name", "onclick", "src", "data-token", "class"),
    fc.oneof(messyText, fc.constantFrom("password", "hidden", "x", "javascript:x", "https://me:pw@a.example/?token=abc")),
  )
  .map(([name, value]) => ` ${name}="${value.replaceAll('"', "&quot;")}"`);

/** HTML, well-formed and not. */
export const messyHtml = fc
  .array(
    fc.oneof(
      messyText.map((text) => text.replaceAll("<", "&lt;")),
      fc.tuple(tag, fc.array(attribute, { maxLength: 3 })).map(([name, attributes]) => `<${name}${attributes.join("")}>`),
      tag.map((name) => `</${name}>`),
      fc.constantFrom("<!-- x -->", "<!--", "<", ">", "</", "<!doctype html>", "<a href='", "&amp;", "&#64;", "&lt;", "<br/>"),
    ),
    { maxLength: 25 },
  )
  .map((parts) => parts.join(""));

const label = fc.constantFrom(
  "Password",
  "Client secret",
  "AWS_SECRET_ACCESS_KEY",
  "CVV",
  "SSN",
  "IBAN",
  "card",
  "phone",
  "user",
  "Total:",
  "",
);
const value = fc.oneof(
  fc.constantFrom("hunter2!Zqvv", noise(24), "739", "ada", "12", ""),
  fc.constantFrom(...planted).map(([, text]) => text),
);
const layout = fc.constantFrom(
  "tr",
  "td",
  "th",
  "dl",
  "dt",
  "dd",
  "p",
  "div",
  "li",
  "h3",
  "br",
  "b",
  "code",
  "span",
  "label",
  "pre",
  "table",
  "img",
  "input",
);

const between = fc.oneof(
  { weight: 3, arbitrary: layout.map((name) => `<${name}>`) },
  { weight: 3, arbitrary: layout.map((name) => `</${name}>`) },
  { weight: 1, arbitrary: fc.constantFrom(" ", "\n", "\n    ", "&nbsp;", "&#10;", ": ", '<img alt="Password">', '<input value="a">') },
);
const apart = fc.array(between, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));

/** Labels and values among the tags that lay a page out, in any order. */
export const laidOutHtml = fc
  .array(
    fc.oneof(
      label,
      value,
      apart,
      fc.tuple(label, apart, value).map((parts) => parts.join("")),
    ),
    { maxLength: 16 },
  )
  .map((parts) => parts.join(""));
