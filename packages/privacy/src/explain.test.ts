import { expect, test } from "vitest";
import { explain, explainContext, type FilterInput } from "./index.js";

test("a finding has kind, rule and place, and no value", () => {
  const findings = explain("first line\nmail jo@example.org\n\u{1f600} 203.0.113.77", "filtered");
  expect(findings).toEqual([
    { kind: "email", rule: "address", start: 16, end: 30, line: 2, column: 6 },
    { kind: "ip", rule: "ipv4", start: 34, end: 46, line: 3, column: 4 },
  ]);
  expect(JSON.stringify(findings)).not.toMatch(/jo@|203/);
});

test("a context is explained with its level, reasons, categories and findings", () => {
  const url = "https://mail.google.com/mail/u/0/";
  const input: FilterInput = {
    type: "page",
    url,
    title: "Mail of jo@example.org",
    content: "<p>call +1 415 555 0132</p>",
    contentFormat: "html",
    privacyLevel: "public",
    metadata: {},
    tabMetadata: { id: "1", url, title: "", isActive: true, isLoading: false, windowId: 0, lastUpdated: "" },
  };
  expect(explainContext(input)).toMatchObject({
    captured: true,
    level: "filtered",
    reasons: ["category:webmail"],
    categories: ["webmail"],
    redactions: { email: 1, phone: 1 },
    findings: [
      { field: "title", kind: "email" },
      { field: "content", kind: "phone", start: 5 },
    ],
  });
  expect(explainContext({ ...input, url: "about:blank" })).toMatchObject({ captured: false, findings: [] });
});
