import { expect, test } from "vitest";
import { assertLinearPattern, classify, filterContext, type FilterInput, type FilterPolicy, redactText } from "./index.js";

test.each([
  "EMP-[0-9]{5}",
  "(?:badge|pass) ?[A-Z]{2}[0-9]{4,8}",
  "ACME\\d{3}x?",
  "[\\]a]{1,3}",
  "a|b|c",
  "[a-z]{1,64}\\.[a-z]{1,64}@corp\\.example",
  "\\b[A-Z]{2,4}-[0-9]{3,8}\\b",
  "(?:a|(?:b|c)d)[a-z]{0,64}?",
  "a{0,12}a{0,11}b",
])("accepts %j", (pattern) => {
  expect(() => assertLinearPattern(pattern)).not.toThrow();
});

test.each([
  ["a*", "unbounded"],
  ["a+", "unbounded"],
  ["a{2,}", "repetition"],
  ["(a|b){2}", "group"],
  ["(a)\\1", "back-references"],
  ["(?=a)b", "groups"],
  ["(?<!a)b", "groups"],
  ["[a-z", "not closed"],
  ["", "characters"],
  ["a".repeat(501), "characters"],
  ["[a-z]{1,400}[a-z]{1,400}", "too many ways"],
  ["[a-z]{1,600}", "too many ways"],
  ["a{0,99}a{0,99}b", "too many ways"],
  [`${"(a|a)".repeat(26)}b`, "too many ways"],
  [`${"(a|a)".repeat(98)}b`, "millions of steps"],
  ["(((a|a)(a|a)|(a|a)(a|a))((a|a)(a|a)|(a|a)(a|a)))(a|a)(a|a)b", "too many ways"],
  ["a?".repeat(9) + "b", "too many ways"],
  ["[a-z]{1,64}.[a-z]{1,64}x", "too many ways"],
  ["[a-z]{1,64}b[a-z]{1,64}x", "too many ways"],
  ["[a-z@]{1,64}@?[a-z]{1,64}x", "too many ways"],
  ["[a-z]{1,64}^[a-z]{1,64}x", "too many ways"],
  ["[a-z]{1,64}\\b[a-z]{1,64}x", "too many ways"],
  ["(a|b", "not closed"],
  ["a|b)", "not opened"],
  ["?a", "nothing to repeat"],
  ["a{1,2}{3}", "nothing to repeat"],
  ["a{3,2}", "too many ways"],
  ["(?<name>a)", "groups"],
])("refuses %j: %s", (pattern, why) => {
  expect(() => assertLinearPattern(pattern)).toThrow(why);
});

test("an operator's pattern works from its level on", () => {
  const policy = {
    patterns: [
      { kind: "employee", pattern: "EMP-[0-9]{5}" },
      { kind: "badge", pattern: "BDG[0-9]{4}", from: "public" as const },
    ],
  };
  expect(redactText("EMP-12345 BDG1234", "private", { policy }).text).toBe("EMP-12345 [REDACTED:badge]");
  expect(redactText("EMP-12345 BDG1234", "filtered", { policy })).toEqual({
    text: "[REDACTED:employee] [REDACTED:badge]",
    redactions: { employee: 1, badge: 1 },
  });
});

test.each([
  { patterns: [{ kind: "x", pattern: "a*" }] },
  { patterns: [{ kind: "Not a kind", pattern: "abc" }] },
  { patterns: [{ kind: "x", pattern: "a?" }] },
  { patterns: [{ kind: "x", pattern: "[z-a]" }] },
  { detectorsOff: ["password"] },
  { detectorsOff: ["card"] },
  { detectorsOff: ["cvv"] },
  { detectorsOff: ["emails"] },
  { detectorsOn: ["nothing"] },
  { minimumlevel: "filtered" } as FilterPolicy,
  { denylist: ["Ada"] } as FilterPolicy,
  { denyList: ["x".repeat(201)] },
])("a policy that is not valid throws instead of filtering less: %j", (policy) => {
  expect(() => redactText("text", "filtered", { policy })).toThrow(RangeError);
  const url = "https://a.example/";
  const input = {
    type: "page",
    url,
    title: "",
    content: "",
    contentFormat: "text" as const,
    privacyLevel: "private" as const,
    metadata: {},
    tabMetadata: { id: "1", url, title: "", isActive: true, isLoading: false, windowId: 0, lastUpdated: "" },
  };
  expect(() => filterContext(input, policy)).toThrow(RangeError);
});

test("detectors can be switched off above the floor, and on below their level", () => {
  const text = "jo@example.org 203.0.113.77";
  expect(redactText(text, "filtered", { policy: { detectorsOff: ["ip"] } }).text).toBe("[REDACTED:email] 203.0.113.77");
  expect(redactText(text, "public", { policy: { detectorsOn: ["email"] } }).text).toBe("[REDACTED:email] 203.0.113.77");
});

test("a kind of a detector that finds several can be named by itself", () => {
  const text = "Passport: U64963786, MRN: MRN-1447606";
  expect(redactText(text, "filtered", { policy: { detectorsOff: ["passport"] } }).text).toBe(
    "Passport: U64963786, MRN: [REDACTED:medical_record]",
  );
  expect(redactText(text, "public", { policy: { detectorsOn: ["passport"] } }).text).toBe(
    "Passport: [REDACTED:passport], MRN: MRN-1447606",
  );
});

test("more categories of the operator's own", () => {
  expect(
    classify("https://x.bank.example/", { policy: { categories: { house_bank: { level: "restricted", sites: ["bank.example"] } } } }),
  ).toMatchObject({ level: "restricted", categories: ["house_bank"] });
});

test.each([
  [{ minimumLevel: "Filtered" }, "minimumLevel"],
  [{ siteRules: [{ site: "a.example", level: "none" }] }, "siteRules"],
  [{ categories: { own: { level: "", sites: [] } } }, "categories.own"],
  [{ patterns: [{ kind: "x", pattern: "x{1,3}", from: "all" }] }, "patterns"],
  [{ categories: { password_manager: { level: "private", sites: ["vault.example"] } } }, "list them in blockedSites"],
  [null, "a policy is an object"],
])("a policy with a level that there is not is refused: %j", (policy, why) => {
  expect(() => filterContext({} as FilterInput, policy as unknown as FilterPolicy)).toThrow(RangeError);
  expect(() => filterContext({} as FilterInput, policy as unknown as FilterPolicy)).toThrow(why);
});
