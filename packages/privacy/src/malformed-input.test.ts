import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  classify,
  explain,
  explainContext,
  filterContext,
  type FilterInput,
  type FilterOutcome,
  privacyLevels,
  redactHtml,
  redactRecord,
  redactText,
  redactUrl,
} from "./index.js";

const secret = "4111 1111 1111 1111";
const url = "https://blog.example.com/post";
const whole = {
  type: "page",
  url,
  title: `Card ${secret}`,
  content: `Card ${secret}`,
  contentFormat: "text",
  privacyLevel: "public",
  metadata: { note: secret },
  tabMetadata: {
    id: "1",
    url,
    title: `Card ${secret}`,
    isActive: true,
    isLoading: false,
    windowId: 0,
    lastUpdated: "2026-01-31T00:00:00Z",
  },
};
const filter = (input: unknown): FilterOutcome => filterContext(input as FilterInput);
const throwing = (key: string): object => Object.defineProperty({}, key, { enumerable: true, get: () => raise() });
const raise = (): never => {
  throw new Error(secret);
};
const cyclic: Record<string, unknown> = { note: secret };
cyclic["again"] = cyclic;
cyclic["list"] = [cyclic, cyclic];

describe("where the addresses can be read, a context is reduced to restricted", () => {
  test.each([
    ["no title", { title: undefined }],
    ["a title that is null", { title: null }],
    ["a content that is a number", { content: 4_111_111_111_111_111 }],
    ["a content that throws", throwing("content")],
    ["an unknown format", { contentFormat: "HTML" }],
    ["an unknown level, which is not the lowest", { privacyLevel: "Restricted" }],
    ["no metadata", { metadata: undefined }],
    ["metadata that is a string", { metadata: secret }],
    ["metadata that throws", { metadata: throwing("note") }],
    ["a tab without title", { tabMetadata: { ...whole.tabMetadata, title: undefined } }],
    ["a tab whose id is an object", { tabMetadata: { ...whole.tabMetadata, id: { secret } } }],
    ["a flag of a tab that is a string", { tabMetadata: { ...whole.tabMetadata, pinned: secret } }],
    ["a time of a tab that is no time", { tabMetadata: { ...whole.tabMetadata, lastUpdated: secret } }],
    ["a time of a tab that throws", { tabMetadata: Object.defineProperties({ ...whole.tabMetadata }, { lastUpdated: { get: raise } }) }],
  ])("%s", (_, more) => {
    const input = Object.defineProperties({ ...whole }, Object.getOwnPropertyDescriptors(more));
    const outcome = filter(input);
    expect(outcome).toMatchObject({
      captured: true,
      level: "restricted",
      failedClosed: true,
      failure: "TypeError",
      reasons: ["filter:malformed"],
      context: { url: "https://blog.example.com", title: "[REDACTED:title]", content: "", metadata: {} },
    });
    expect(JSON.stringify(outcome)).not.toContain("4111");
    expect(explainContext(input as unknown as FilterInput)).toMatchObject({ captured: true, level: "restricted", findings: [] });
  });
});

describe("where not even the addresses can be read, nothing is captured", () => {
  test.each([
    ["null", null],
    ["undefined", undefined],
    ["a string", secret],
    ["a function", raise],
    ["no url", { ...whole, url: undefined }],
    ["an url that throws", { ...whole, tabMetadata: throwing("url") }],
    ["no tab: it may be a private window", { ...whole, tabMetadata: undefined }],
    ["a tab that says oddly whether it is private", { ...whole, tabMetadata: { ...whole.tabMetadata, incognito: "true" } }],
    ["a proxy that throws at everything", new Proxy({}, { get: raise, ownKeys: raise, has: raise })],
  ])("%s", (_, input) => {
    expect(filter(input)).toEqual({ captured: false, reasons: ["filter:malformed"] });
    expect(explainContext(input as FilterInput)).toMatchObject({ captured: false, reasons: ["filter:malformed"], categories: [] });
  });

  test("names private windows, blocked and browser pages, whatever else is wrong", () => {
    const tabMetadata = { url, incognito: true };
    expect(filter({ url, tabMetadata })).toEqual({ captured: false, reasons: ["private-window"] });
    expect(filter({ url: "chrome://settings", tabMetadata: { url } })).toEqual({ captured: false, reasons: ["browser-page"] });
  });
});

test("nested and cyclic metadata is dropped, what is flat in it is filtered", () => {
  const outcome = filter({ ...whole, metadata: cyclic });
  expect(outcome).toMatchObject({
    captured: true,
    level: "public",
    failedClosed: false,
    context: { metadata: { note: "[REDACTED:card]" } },
  });
  expect(redactRecord(cyclic, "public").record).toEqual({ note: "[REDACTED:card]", list: [null, null] });
});

test("a field that answers otherwise the second time is read once", () => {
  let reads = 0;
  const input = Object.defineProperty({ ...whole }, "url", { get: () => (reads++ === 0 ? url : "https://www.chase.com/?token=abc123") });
  expect(filter(input)).toMatchObject({ captured: true, level: "public", context: { url } });
  expect(reads).toBe(1);
});

test("lone surrogates neither throw nor hide a value", () => {
  const lone = "\ud83d";
  const address = `${url}?next=${encodeURIComponent("https://b.example/?token=abc123")}${lone}&q=${lone}`;
  const outcome = filter({ ...whole, url: address, content: `${lone}${secret}${lone}`, title: lone });
  expect(outcome).toMatchObject({ captured: true, level: "public", failedClosed: false });
  expect(JSON.stringify(outcome)).not.toMatch(/4111|abc123/);
});

test("nothing makes it throw, and what is not whole is never kept", () => {
  const strange = fc.anything({
    withNullPrototype: true,
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
  });
  const field = fc.oneof({ weight: 2, arbitrary: strange }, fc.string({ unit: "binary" }), fc.constantFrom(...privacyLevels, url, secret));
  const keys = Object.keys(whole) as Array<keyof typeof whole>;
  const tabKeys = [...Object.keys(whole.tabMetadata), "incognito", "pinned", "audible", "referrer", "favIconUrl", "openerTabId", "lang"];
  fc.assert(
    fc.property(
      strange,
      fc.dictionary(fc.constantFrom(...keys), field),
      fc.dictionary(fc.constantFrom(...tabKeys), field),
      (anything, more, tabMore) => {
        expect(filter(anything).captured).toBe(false);
        const outcome = filter({ ...whole, tabMetadata: { ...whole.tabMetadata, ...tabMore }, ...more });
        if (!outcome.captured) return;
        expect(privacyLevels).toContain(outcome.level);
        const { level, context } = outcome;
        expect(
          !outcome.failedClosed || (level === "restricted" && context.content === "" && Object.keys(context.metadata).length === 0),
        ).toBe(true);
        const { id: _, ...tab } = outcome.context.tabMetadata;
        expect(JSON.stringify([outcome.context.content, outcome.context.title, outcome.context.metadata, tab])).not.toContain(secret);
      },
    ),
    { numRuns: 500 },
  );
});

describe("one text, URL, page or record", () => {
  const calls = {
    redactText,
    redactUrl,
    redactHtml,
    redactRecord,
    explain,
  } as unknown as Record<string, (value: unknown, level: unknown) => unknown>;

  test.each(Object.entries(calls))("%s says what it takes", (name, call) => {
    const wrong = name === "redactRecord" ? ["x", null, undefined, 1] : [null, undefined, 1, {}, [], new String("x")];
    for (const value of wrong) {
      expect(() => call(value, "private")).toThrow(TypeError);
      expect(() => call(value, "private")).toThrow(new RegExp(`^${name} takes (?:a string|an object), not `));
    }
    const right = name === "redactRecord" ? {} : "x";
    for (const level of [undefined, null, "Private", "toString", 0])
      expect(() => call(right, level)).toThrow(`${name} takes a level, one of public, private, filtered, restricted`);
  });

  test("so does classify", () => {
    expect(() => classify(null as unknown as string)).toThrow("classify takes a string, not null");
  });
});
