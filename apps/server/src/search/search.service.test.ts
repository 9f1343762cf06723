import * as fc from "fast-check";
import type { SearchPage } from "@periscope/schemas";
import { describe, expect } from "vitest";
import { runs } from "../../test/deep.js";
import { testEngine } from "../../test/test-database.js";
import { firstCapture, withSearcher as test } from "../../test/search-world.js";

const page = { limit: 20, offset: 0 };
const idsOf = ({ results }: SearchPage) => results.map(({ contextId }) => contextId);

test("searches title, URL, content and values of metadata, not keys and flags", async ({ fixture }) => {
  const times = { isActive: true, lastUpdated: "2026-05-05T05:05:05.555Z" };
  await fixture.add({
    contextId: "a",
    url: "https://shop.test/purple-shoes?size=43",
    title: "Footwear",
    content: "body",
    tabMetadata: { title: "Footwear", lang: "gsw", referrer: "https://finder.test/", windowId: 7001, ...times },
    metadata: { project: "walkabout", priority: 9001, done: true, 'odd "key"': "quoted 'value' \" \\ \n" },
  });
  for (const word of ["purple", "shoes", "footwear", "body", "gsw", "finder", "walkabout", "9001", "7001", "quoted"])
    expect(await fixture.find(word)).toEqual(["a"]);
  const unsearched = ["isActive", "active", "true", "project", "2026", "windowId", "key"];
  // Stop words, exclusions and names of fields alone find nothing either.
  for (const query of [...unsearched, "the of and", "-body", "content:body"]) expect(await fixture.find(query)).toEqual([]);
});

test("finds a page by its address, and pages that mention the address", async ({ fixture }) => {
  await fixture.add(
    { contextId: "page", url: "https://w.example.net/one", content: "body" },
    { contextId: "mention", url: "https://other.test/", content: "See https://w.example.net/one for more." },
    { contextId: "sibling", url: "http://w.example.net/two" },
    { contextId: "escaped", url: "https://maps.test/K%C3%B6ln?q=lamp", content: "body" },
    { contextId: "escaped-mention", url: "https://other.test/", content: "See https://maps.test/K%C3%B6ln?q=lamp for more." },
  );
  const finds: Array<[query: string, expected: string[]]> = [
    ["https://w.example.net/one", ["mention", "page"]],
    ["http://w.example.net/one", ["mention", "page"]],
    ['"https://w.example.net/one"', ["mention", "page"]],
    ["https://w.example.net", ["mention", "page", "sibling"]],
    ["https://w.example.net/one body", ["page"]],
    ["w.example.net -https://w.example.net/one", ["sibling"]],
    ["https://maps.test/K%C3%B6ln?q=lamp", ["escaped", "escaped-mention"]],
    ["https://maps.test/Köln?q=lamp", ["escaped"]],
    ["body -https://maps.test/K%C3%B6ln?q=lamp", ["page"]],
    ["sibling OR https://maps.test/K%C3%B6ln?q=lamp", ["escaped", "escaped-mention"]],
  ];
  for (const [query, expected] of finds) expect([query, (await fixture.find(query)).toSorted()]).toEqual([query, expected]);
});

test("finds names that are written of stop words alone", async ({ fixture }) => {
  await fixture.add({ contextId: "a", content: "The bill of AT&T." }, { contextId: "b", content: "At the T junction." });
  expect(await fixture.find("AT&T")).toEqual(["a"]);
});

test("holds to phrases and alternatives behind any number of words", async ({ fixture }) => {
  const words = Array.from({ length: 40 }, (_, index) => `word${index}`).join(" ");
  await fixture.add({ contextId: "a", content: `${words} keeper of the lamp` }, { contextId: "b", content: `${words} lamp keeper oil` });
  expect((await fixture.find(words)).toSorted()).toEqual(["a", "b"]);
  expect(await fixture.find(`${words} "lamp keeper"`)).toEqual(["b"]);
  expect(await fixture.find(`${words} rope OR oil`)).toEqual(["b"]);
  expect(await fixture.find(`${words} -oil`)).toEqual(["a"]);
});

test("does not correct a word in quotes", async ({ fixture }) => {
  await fixture.add({ contextId: "a", content: "The keeper of the lighthouse." });
  expect(await fixture.find("lighthose")).toEqual(["a"]);
  for (const query of ['"lighthose"', 'keeper "lighthose"', 'lighthose "lighthose"', "lighthose “lighthose”"])
    expect(await fixture.find(query)).toEqual([]);
  expect(await fixture.find('"lighthouse"')).toEqual(["a"]);
});

test("finds words whole where a page may divide them", async ({ fixture }) => {
  await fixture.add({ contextId: "a", title: "Ver\u00adkehr", content: "Donau\u00addampf\u00adschiff\u00adfahrt" });
  for (const query of ["Donaudampfschifffahrt", "Verkehr", "Donau\u00addampfschiff\u00adfahrt"])
    expect(await fixture.find(query)).toEqual(["a"]);
  expect(await fixture.find('"dampf schiff"')).toEqual([]);
});

describe("relevance", () => {
  test("lies between 0 and 1, never rises, and means the same in every query", async ({ fixture }) => {
    for (let index = 0; index < 60; index++)
      await fixture.add({
        title: index % 7 === 0 ? "zebra crossing" : "",
        content: `${"zebra ".repeat(index % 5)}${"filler text ".repeat(index)} lion`,
      });
    await fixture.add({ contextId: "weak", content: `okapi ${"filler text ".repeat(500)}` });
    const { results } = await fixture.search(fixture.everything, { ...page, query: "zebra", limit: 100 });
    const zebras = results.map(({ relevance }) => relevance);
    expect(zebras.length).toBeGreaterThan(40);
    for (const [index, relevance] of zebras.entries()) {
      expect(relevance).toBeGreaterThan(0);
      expect(relevance).toBeLessThanOrEqual(zebras[index - 1] ?? 1);
    }
    // A faint single hit is not worth what a title is worth only because it is the best of its own list.
    const weak = await fixture.search(fixture.everything, { ...page, query: "okapi" });
    expect(weak.results[0]!.relevance).toBeLessThan(zebras[0]! / 2);
  });

  test("ties come newest first, then by id; pages tile the list", async ({ fixture }) => {
    await fixture.add(
      { contextId: "old", content: "same words", capturedAt: firstCapture },
      { contextId: "b", content: "same words", capturedAt: firstCapture + 5 },
      { contextId: "a", content: "same words", capturedAt: firstCapture + 5 },
      { contextId: "new", content: "same words", capturedAt: firstCapture + 9 },
    );
    const both = { query: "words", urlPattern: "site" };
    for (const query of [{ query: "words" }, { query: "words missing" }, { urlPattern: "site.test" }, both]) {
      const pages = await Promise.all([0, 1, 2, 3, 4].map((offset) => fixture.search(fixture.everything, { ...query, limit: 1, offset })));
      expect(pages.flatMap(idsOf)).toEqual(["new", "a", "b", "old"]);
      expect(pages.map(({ total }) => total)).toEqual([4, 4, 4, 4, 4]);
    }
  });
});

describe("urlPattern", () => {
  test.for<[urlPattern: string, expected: string[]]>([
    ["EXAMPLE", ["a", "b", "c"]],
    ["/ÜBER", ["c"]],
    ["100%", ["b"]],
    ["a_b", ["a"]],
    ["[x]", ["b"]],
    ["https://*.example.com/*", ["a", "b"]],
    ["*A_B", ["a"]],
    ["example*", []],
    ["*", ["a", "b", "c"]],
    ["https://www.example.com/*/*/*/*", []],
    ["'; DROP TABLE contexts; --", []],
  ])("%s", async ([urlPattern, expected], { fixture }) => {
    await fixture.add(
      { contextId: "a", url: "https://www.example.com/a_b" },
      { contextId: "b", url: "https://www.example.com/aXb?[x]=100%" },
      { contextId: "c", url: "http://example.org/über" },
    );
    const found = await fixture.search(fixture.everything, { ...page, urlPattern });
    expect(idsOf(found).toSorted()).toEqual(expected);
    expect(found.results.every(({ relevance }) => relevance === 1)).toBe(true);
    expect(found.query).toBe("");
  });

  test.for<[urlPattern: string, expected: string[]]>([
    ["'", ["a", "b"]],
    ["a'", ["a"]],
    ["/'", []],
    ["it's", ["b"]],
    ["it_s", []],
    ["s_b", []],
    ["s b", ["c"]],
    ["\ue000", []],
  ])("signs that the index does not have: %j", async ([urlPattern, expected], { fixture }) => {
    await fixture.add(
      { contextId: "a", url: "https://www.example.com/a'" },
      { contextId: "b", url: "https://www.example.com/it's" },
      { contextId: "c", url: "about:its blank" },
    );
    const found = await fixture.search(fixture.everything, { ...page, urlPattern });
    expect([idsOf(found).toSorted(), found.total]).toEqual([expected, expected.length]);
  });

  test("both given, both must hold", async ({ fixture }) => {
    await fixture.add(
      { contextId: "a", url: "https://a.test/", content: "tea" },
      { contextId: "b", url: "https://b.test/", content: "tea" },
    );
    const found = await fixture.search(fixture.everything, { ...page, query: "tea", urlPattern: "b.test" });
    expect(found).toMatchObject({ total: 1, query: "tea", results: [{ contextId: "b" }] });
    expect(found.results[0]!.relevance).toBeLessThan(1);
    expect(await fixture.search(fixture.everything, { ...page, query: "the", urlPattern: "b.test" })).toMatchObject({ total: 0 });
  });
});

describe("filters", () => {
  test("a word that only a filter keeps from being found is not corrected", async ({ fixture }) => {
    await fixture.add(
      { contextId: "a", content: "three kittens", type: "page" },
      { contextId: "b", content: "three mittens", type: "form" },
    );
    for (const more of [{ query: "mittens", type: "page" }, { query: "mittens -three" }] as const) {
      const found = await fixture.search(fixture.everything, { ...page, ...more });
      expect([found.results, found.correctedQuery]).toEqual([[], undefined]);
    }
  });

  test("type, level and time; start inclusive, end exclusive", async ({ fixture }) => {
    await fixture.add(
      { contextId: "a", content: "tea", type: "page", privacyLevel: "public", capturedAt: firstCapture },
      { contextId: "b", content: "tea", type: "form", privacyLevel: "private", capturedAt: firstCapture + 1000 },
      { contextId: "c", content: "tea", type: "page", privacyLevel: "restricted", capturedAt: firstCapture + 2000 },
    );
    const at = (offsetMs: number) => new Date(firstCapture + offsetMs).toISOString();
    for (const [filter, expected] of [
      [{ type: "page" }, "c a"],
      [{ privacyLevel: "private" }, "b"],
      [{ startTime: at(1000) }, "c b"],
      [{ endTime: at(1000) }, "a"],
      [{ startTime: at(0), endTime: at(2000) }, "b a"],
      [{ startTime: "2026-01-01T05:00:01+05:00" }, "c b"],
    ] as const)
      for (const what of [{ query: "tea" }, { query: "tea absent" }, { urlPattern: "site" }]) {
        const found = await fixture.search(fixture.everything, { ...page, ...what, ...filter });
        expect(idsOf(found).join(" ")).toBe(expected);
        expect(found.total).toBe(found.results.length);
      }
  });

  test("users see their own alone, whatever their ids and words", async ({ fixture }) => {
    const ids = ["a", "A", "a.b", "a:b", "ab", "b", "usr_ed", "usr_", "running", "x".repeat(128)];
    for (const userId of ids)
      await fixture.add({ userId, contextId: "same", content: `shared ${ids.join(" ")} u${Buffer.from("a").toString("hex")}0` });
    for (const userId of ids) {
      expect(await fixture.find("shared", userId)).toEqual(["same"]);
      expect((await fixture.search({ userId, maxPrivacyLevel: "restricted" }, { ...page, urlPattern: "site" })).total).toBe(1);
    }
    expect(await fixture.find("shared", "nobody")).toEqual([]);
    // The token of an owner is no word.
    expect(await fixture.find(`u${Buffer.from("x".repeat(128)).toString("hex")}0`, "a")).toEqual([]);
  });

  test.for<[query: object, paths: string[]]>([
    [{}, ["query", "urlPattern"]],
    [{ query: " ", urlPattern: "\t" }, ["query", "urlPattern"]],
    [{ query: "a", startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-01T00:00:00Z" }, ["startTime"]],
    [{ query: "a", startTime: "2026-01-02T00:00:00Z", endTime: "2026-01-02T00:30:00+01:00" }, ["startTime"]],
  ])("%o is refused, naming what is wrong", async ([query, paths], { fixture }) => {
    const refusal = await fixture.search(fixture.everything, { ...page, ...query }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "bad_request", extra: { details: paths.map((path) => ({ path })) } });
    for (const path of paths) expect((refusal as Error).message).toContain(path);
  });
});

test("counts up to 10,000 matches exactly", async ({ fixture, skip }) => {
  skip(testEngine() === "postgres", "search-index.test.ts counts as many");
  const add = (count: number) => fixture.add(...Array.from({ length: count }, (_, index) => ({ content: `tea, not green ${index}` })));
  const ask = (what: object, more: object = page) => fixture.search(fixture.everything, { ...page, ...what, ...more });
  await fixture.add({ content: "green tea" });
  await add(9_999);
  const alike = [{ query: "tea" }, { query: "tea absent" }, { urlPattern: "site" }, { urlPattern: "si" }];
  for (const what of alike) expect(await ask(what)).toMatchObject({ total: 10_000, totalIsExact: true });
  await add(1);
  for (const what of alike) {
    expect(await ask(what)).toMatchObject({ total: 10_000, totalIsExact: false });
    expect((await ask(what, { limit: 5, offset: 9_999 })).results).toHaveLength(2);
    expect((await ask(what, { limit: 5, offset: Number.MAX_SAFE_INTEGER })).results).toEqual([]);
  }
  // All have the words, and one has the phrase.
  expect(await ask({ query: '"green tea"' })).toMatchObject({ total: 1, totalIsExact: true });
  expect(await ask({ query: '"not green"' })).toMatchObject({ total: 10_000, totalIsExact: true });
});

describe("nothing raises", () => {
  test.for([
    ["500 words", Array.from({ length: 341 }, (_, index) => index.toString(36).padStart(2, "z")).join(" ")],
    ["250 exclusions", `tea ${Array.from({ length: 250 }, (_, index) => `-${index.toString(36)}`).join(" ")}`],
    ["200 alternatives", Array.from({ length: 200 }, (_, index) => index.toString(36)).join(" OR ")],
    ["one long word", "x".repeat(1024)],
    ["NUL and lone surrogates", "tea\0 \ud83d \udc00x"],
    ["an unassigned letter", "\u{1e900} tea"],
    ["FTS syntax", '{title}: tea ^"a" + b * NEAR/2 (x AND NOT y)) OR'],
  ])("%s", async ([_name, query], { fixture }) => {
    await fixture.add({ content: "tea 茶叶 and coffee" });
    const found = await fixture.search(fixture.everything, { ...page, query });
    expect(found.query).toBe(query);
    expect((await fixture.search(fixture.everything, { ...page, urlPattern: query })).total).toBe(0);
  });

  test("arbitrary queries and content", async ({ fixture }) => {
    const pieces = fc.constantFrom(" ", ..."\" - OR \0 \ud800 the tea é 茶 🍕 ( ) * : ^ + AND NOT { } '".split(" "));
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(pieces, { maxLength: 30 }).map((all) => all.join("")),
    );
    await fc.assert(
      fc.asyncProperty(text, text, async (query, content) => {
        await fixture.add({ title: query, content, metadata: { [content]: query } });
        const found = await fixture.search(fixture.everything, { ...page, query: `x${query}`, urlPattern: "*" });
        expect(found.results.length).toBeLessThanOrEqual(20);
      }),
      runs(20),
    );
  });
});

test("pages tile the list past what is ranked, whatever order contexts came in", async ({ fixture }) => {
  await fixture.add(
    ...Array.from({ length: 1300 }, (_, index) => ({
      contextId: `c${index}`,
      title: index % 100 === 0 ? "tea" : "",
      content: `tea ${"filler ".repeat(index % 7)}`,
      capturedAt: firstCapture + ((index * 7919) % 1300),
    })),
  );
  const pages = await Promise.all(
    Array.from({ length: 14 }, (_, at) => fixture.search(fixture.everything, { query: "tea", limit: 100, offset: at * 100 })),
  );
  const all = pages.flatMap(({ results }) => results);
  expect(new Set(all.map(({ contextId }) => contextId)).size).toBe(1300);
  expect(all).toHaveLength(1300);
  // The titles come first, the oldest of them too.
  expect(all.slice(0, 13).map(({ title }) => title)).toEqual(Array.from({ length: 13 }, () => "tea"));
  const relevances = all.map(({ relevance }) => relevance);
  expect(relevances).toEqual(relevances.toSorted((a, b) => b - a));
});
