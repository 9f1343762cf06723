import { describe, expect, test } from "vitest";
import { joined, noise } from "../test/detector-table.js";
import { redactText } from "./index.js";

const text = "jo@example.org, 4111 1111 1111 1111, DE89 3704 0044 0532 0130 00, password: hunter2!";

test("each level removes what the ones below it do, and more", () => {
  expect(redactText(text, "public").text).toBe(
    "jo@example.org, [REDACTED:card], DE89 3704 0044 0532 0130 00, password: [REDACTED:password]",
  );
  expect(redactText(text, "private").text).toBe("jo@example.org, [REDACTED:card], [REDACTED:iban], password: [REDACTED:password]");
  expect(redactText(text, "filtered").text).toBe("[REDACTED:email], [REDACTED:card], [REDACTED:iban], password: [REDACTED:password]");
  expect(redactText(text, "restricted").text).toBe("");
});

test("titles lose contact details earlier, and are replaced as a whole at restricted", () => {
  expect(redactText("jo@example.org", "private", { place: "title" }).text).toBe("[REDACTED:email]");
  expect(redactText("jo@example.org", "restricted", { place: "title" }).text).toBe("[REDACTED:title]");
});

test("overlapping findings become one, named after the worst", () => {
  expect(redactText(`token=${noise(30)}@corp.org`, "filtered").redactions).toEqual({ secret: 1 });
});

test("invisible characters hide nothing, and stay where nothing was found", () => {
  expect(redactText("4111\u200b 1111 11\u00ad11 1111", "public").text).toBe("[REDACTED:card]");
  expect(redactText("a\u200bb \u{1f468}\u200d\u{1f469}", "filtered").text).toBe("a\u200bb \u{1f468}\u200d\u{1f469}");
});

test("no character that stands before a keyword hides it", () => {
  const hidden = "password: hunter2Xy!9 and ghp_16C7e42F292c6912E7710c838347Ae178B4a";
  for (const before of ["🔑", "😀", "📞", "📱", "إلى", "卡", "\ud83d"]) {
    for (const value of hidden.split(" and ")) expect(redactText(`${before}${value}`, "private").text).toContain("[REDACTED:");
  }
});

test("what was removed is not found again, and its name is no context", () => {
  const once = "[REDACTED:phone] 5551234567, [REDACTED:card] 9111111111111110, [REDACTED:secret]: abc123def456";
  expect(redactText(once, "filtered").text).toBe(once);
});

test("JSON stays JSON: numbers become strings, escapes stay whole", () => {
  const source = '{"card": 4111111111111111, "text": "line\\njo@example.org\\n", "path": "C:\\\\jo@example.org"}';
  expect(JSON.parse(redactText(source, "filtered").text)).toEqual({
    card: "[REDACTED:card]",
    text: "line\n[REDACTED:email]\n",
    path: "C:\\[REDACTED:email]",
  });
});

describe("backslash escapes of markdown", () => {
  const token = noise(30);

  test.each([
    [String.raw`sk\_live\_${token}`, "[REDACTED:api_key]"],
    [String.raw`my\_token sk\_live\_${token} a\_b`, String.raw`my\_token [REDACTED:api_key] a\_b`],
    [String.raw`postgres://app\_user:pa\_ss1@db.example/x`, "postgres://REDACTED@db.example/x"],
    [String.raw`C:\\_${token} stays`, String.raw`C:\\_${token} stays`],
    [String.raw`a \* b, 1\. one, 2\. two`, String.raw`a \* b, 1\. one, 2\. two`],
  ])("hide nothing, and stay where nothing was found: %s", (text, expected) => {
    for (const format of ["text", "markdown"] as const) expect(redactText(text, "public", { format }).text).toBe(expected);
  });

  test("one that stands before a stand-in is not doubled", () => {
    const { text } = redactText(String.raw`\-----BEGIN PRIVATE KEY-----${"\n"}${token}${"\n"}-----END PRIVATE KEY-----(x)`, "public", {
      format: "markdown",
    });
    expect(text).toBe(String.raw`\[REDACTED:private_key](x)`);
  });
});

test.each([
  ["[password: hunter2xY](https://a.example)", "[password: [REDACTED:password]](https://a.example)"],
  ["[Passwort: tulip33](https://a.example/x)", "[Passwort: [REDACTED:password]](https://a.example/x)"],
  ["See [API key: k3jH8sLq02mNvB7xZp41QwErTy](https://a.example).", "See [API key: [REDACTED:secret]](https://a.example)."],
])("a value in the text of a link ends with it: %s", (text, expected) => {
  for (const format of ["text", "markdown"] as const) {
    expect(redactText(text, "public", { format }).text).toBe(expected);
    expect(redactText(expected, "public", { format }).text).toBe(expected);
  }
});

describe("escapes of JSON hide nothing", () => {
  test.each([
    [String.raw`{"url":"https:\/\/admin:hunter2@intranet\/x"}`, String.raw`{"url":"https:\/\/REDACTED@intranet\/x"}`],
    [
      String.raw`{"reset":"https:\/\/a.example\/reset-password\/k3jH8sLq02mNvB7xZp41QwErTy"}`,
      String.raw`{"reset":"https:\/\/a.example\/reset-password\/REDACTED"}`,
    ],
    [String.raw`{"url":"https://a.example/x?a=1\u0026token=abcd1234"}`, String.raw`{"url":"https://a.example/x?a=1\u0026token=REDACTED"}`],
    [String.raw`{"mail":"jo\u0040example.org"}`, `{"mail":"[REDACTED:email]"}`],
    [String.raw`{"mail":"jo@example.or\u0067"}`, `{"mail":"[REDACTED:email]"}`],
    [String.raw`Write to jo\u0040example.or\u0067, please`, "Write to [REDACTED:email], please"],
    [String.raw`{"q":"password\u003dhunter2xY"}`, String.raw`{"q":"password\u003d[REDACTED:password]"}`],
    [String.raw`{"hook":"https:\/\/hooks.slack.com\/services\/T01234567\/B01234567\/${noise(24)}"}`, '{"hook":"[REDACTED:api_key]"}'],
  ])("%s", (text, expected) => {
    for (const format of ["text", "markdown"] as const) {
      const once = redactText(text, "filtered", { format }).text;
      expect(once).toBe(expected);
      expect(redactText(once, "filtered", { format }).text).toBe(once);
    }
  });

  test.each([
    String.raw`{"html":"\u003cp\u003eHello \u0026 welcome\u003c\/p\u003e","re":"/^https?:\/\/[a-z]+\/x@y/"}`,
    String.raw`const re = /^https?:\/\/[^/]+\/(\d+)$/; const s = "\u0041\u0022: \u005c";`,
  ])("%s stays", (text) => {
    expect(redactText(text, "filtered").text).toBe(text);
  });
});

describe("marks of markdown hide nothing", () => {
  test.each([
    ["Card 4111 1111 1111 **1111**", "Card [REDACTED:card]**"],
    ["Card **4111** 1111 1111 1111", "Card **[REDACTED:card]"],
    ["Card 4111 1111 1111 `1111`", "Card [REDACTED:card]`"],
    ["Card 4111 1111 1111 *1111* today", "Card [REDACTED:card]* today"],
    ["Card 4111 1111 1111 <b>1111</b>", "Card [REDACTED:card]</b>"],
    ["Card 4111&nbsp;1111&#160;1111&#xa0;1111", "Card [REDACTED:card]"],
    [joined("ghp", "_0123456789abcdefghij**ABCDEFGHIJ012345**"), "[REDACTED:api_key]**"],
    ["Your code is 482**913**", "Your code is [REDACTED:one_time_code]**"],
    ["SSN: 536-22-**1234**", "SSN: [REDACTED:us_ssn]**"],
    ["IBAN DE89 3704 0044 0532 **0130 00**", "IBAN [REDACTED:iban]**"],
    ["Mail jo&commat;example.org", "Mail [REDACTED:email]"],
  ])("%s", (text, expected) => {
    expect(redactText(text, "filtered", { format: "markdown" }).text).toBe(expected);
    expect(redactText(expected, "filtered", { format: "markdown" }).text).toBe(expected);
  });

  test.each([
    "**4111** and **1111**",
    "| 4111 | **1111** |",
    "1024*1024*1024*1024",
    "`4111` `1111` `1111` `1111`",
    "Ports 80, **443** &amp; `8080`",
  ])("%s stays", (text) => {
    expect(redactText(text, "filtered", { format: "markdown" }).text).toBe(text);
  });
});
