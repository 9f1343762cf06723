import { expect, test } from "vitest";
import { classify, filterContext, type FilterInput, type FilterPolicy, redactText } from "./index.js";

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
  { patterns: [{ kind: "x", pattern: "(a" }] },
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
