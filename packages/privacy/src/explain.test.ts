import fc from "fast-check";
import { expect, test } from "vitest";
import { messyHtml, messyText } from "../test/arbitraries.js";
import { joined, noise } from "../test/detector-table.js";
import { explain, explainContext, filterContext, type FilterInput, type PrivacyLevel } from "./index.js";

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

const token = joined("ghp", "_", noise(36));
const page = (more: Partial<FilterInput>): FilterInput => {
  const url = more.url ?? "https://blog.example.org/";
  const tabMetadata = { id: "1", url, title: "", isActive: true, isLoading: false, windowId: 0, lastUpdated: "" };
  return { type: "page", url, title: "", content: "", contentFormat: "text", privacyLevel: "private", metadata: {}, tabMetadata, ...more };
};

test.each<[Partial<FilterInput>, ReadonlyArray<readonly [kind: string, field: string, rule: unknown]>]>([
  [{ contentFormat: "html", content: `<p>&#103;hp_${token.slice(4)}</p>` }, [["api_key", "content", "vendor:github"]]],
  [{ contentFormat: "html", content: `<p>x</p><script>var p = "${token}"</script>` }, []],
  [{ contentFormat: "html", content: `<p title="${token}">x</p>` }, [["api_key", "content", "vendor:github"]]],
  [{ contentFormat: "html", content: '<a href="https://a.example/?gclid=1">x</a>' }, [["tracking", "content", "field"]]],
  [
    { url: "https://h.example/x?access_token=abcdef12345&utm_source=x" },
    [
      ["token", "url", expect.any(String)],
      ["tracking", "url", "field"],
    ],
  ],
  [{ type: "form", content: '[{"name":"q","value":"x"},{"name":"otp","value":"482913"}]' }, [["form_value", "content[1]", "field"]]],
  [
    { metadata: { note: `see ${token}`, cookies: "a=b", [token]: "v" } },
    [
      ["api_key", "metadata.note", "vendor:github"],
      ["dropped", "metadata.cookies", "field"],
      ["api_key", "metadata.[REDACTED:api_key]", "field"],
    ],
  ],
])("what is counted in %j is listed with its field, and nothing else", (more, expected) => {
  const { findings, redactions } = explainContext(page(more));
  expect(findings.map(({ kind, field, rule }) => [kind, field, rule])).toEqual(expected);
  expect(Object.values(redactions).reduce((sum, count) => sum + count, 0)).toBe(expected.length);
  expect(JSON.stringify(findings)).not.toContain(token.slice(4));
});

test("places in HTML are those in its source", () => {
  const content = `<p>one</p>\n<p title="${token}">&#103;hp_<b>${token.slice(4)}</b></p>`;
  const { findings } = explainContext(page({ contentFormat: "html", content }));
  expect(findings.map(({ line, column }) => [line, column])).toEqual([
    [2, 11],
    [2, 53],
  ]);
  expect(findings.map(({ start, end }) => content.slice(start, end))).toEqual([token, `&#103;hp_<b>${token.slice(4)}`]);
});

test("categories are of both addresses, as the level is", () => {
  const given = page({});
  const tabMetadata = { ...given.tabMetadata, url: "https://mail.google.com/mail/u/0/" };
  expect(explainContext({ ...given, tabMetadata })).toMatchObject({
    level: "filtered",
    reasons: ["category:webmail"],
    categories: ["webmail"],
  });
});

test("there is one finding for each that the filter counts", () => {
  const form = fc
    .array(fc.record({ name: messyText, label: messyText, value: messyText }), { maxLength: 3 })
    .map((fields) => JSON.stringify(fields));
  const content = fc.oneof(
    fc.record({ type: fc.constant("page"), contentFormat: fc.constantFrom("text" as const, "markdown" as const), content: messyText }),
    fc.record({ type: fc.constant("page"), contentFormat: fc.constant("html" as const), content: messyHtml }),
    fc.record({ type: fc.constant("form"), contentFormat: fc.constant("text" as const), content: form }),
  );
  const level = fc.constantFrom<PrivacyLevel>("public", "private", "filtered", "restricted");
  const metadata = fc.dictionary(messyText, fc.oneof(messyText, fc.integer(), fc.boolean()), { maxKeys: 3 });
  fc.assert(
    fc.property(content, level, messyText, metadata, (more, privacyLevel, title, entries) => {
      const given = page({
        ...more,
        privacyLevel,
        title,
        metadata: entries,
        url: `https://blog.example.org/a?b=${encodeURIComponent(title)}&utm_source=x`,
      });
      const outcome = filterContext(given);
      if (!outcome.captured) throw new Error("captured");
      const listed: Record<string, number> = {};
      for (const { kind } of explainContext(given).findings) listed[kind] = (listed[kind] ?? 0) + 1;
      expect(listed).toEqual(outcome.redactions);
    }),
    { numRuns: 200 },
  );
});
