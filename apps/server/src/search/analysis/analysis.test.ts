import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Filtered } from "../../privacy/privacy-filter.js";
import { searchDocument } from "../search-document.js";
import { decodeTerms, hashOf } from "../stored-terms.js";
import { detectPageLanguage } from "./detect-language.js";
import { foldWord } from "./fold.js";
import { scan } from "./scan.js";

const scanned = (text: string): string[] => {
  const found: string[] = [];
  scan(text, {
    word: (start, end) => void found.push(text.slice(start, end)),
    joined: (start, end, words) => void found.push(`${text.slice(start, end)}=${words}`),
    gram: (start, end, pairEnd) => void found.push(text.slice(start, pairEnd)),
  });
  return found;
};

test.each([
  ["plain words, here", "plain words here"],
  ["getUserName", "get User Name getUserName=3"],
  ["HTTPServer URLs", "HTTP Server HTTPServer=2 URLs"],
  ["snake_case node.js wi-fi l'été", "snake case snake_case=2 node js node.js=2 wi fi wi-fi=2 l été l'été=2"],
  ["foo.barBaz", "foo bar Baz barBaz=2 foo.barBaz=3"],
  ["1.5 2026-01-31 v1.2", "1 5 2026 01 31 v1 2 v1.2=2"],
  ["a/b:c", "a b c"],
  ["C++17 C#, .NET asp.net x.#y i+j", "C C++=1 17 C C#=1 NET .NET=1 asp net asp.net=2 x y i j"],
  ["e\u0301te\u0301 𝒳𝒴", "e\u0301te\u0301 𝒳𝒴"],
  ["Donau\u00addampf \u00ad", "Donau\u00addampf"],
  ["東京都へ go", "東京 京都 都へ へ go"],
  ["ที่นี่", "ที่นี่ นี่"],
  ["𠀀𠀁", "𠀀𠀁 𠀁"],
  [". - _ ' \ud800", ""],
])("the words of %s", (text, expected) => expect(scanned(text).join(" ")).toBe(expected));

test("what a page says of its language decides where its words do not", () => {
  expect(detectPageLanguage("Kontakt", "", "de-CH")).toBe("de");
  expect(detectPageLanguage("", "All human beings are born free and equal in dignity and rights", "de")).toBe("en");
  for (const text of ["const x = 42;", "機械学習", ""]) expect(detectPageLanguage("", text, "")).toBe("en");
});

/** What a database holds has passed the filter. */
const asFiltered = <T>(value: T) => value as Filtered<T>;

const documentOf = (content: string, { url = "https://example.com/", title = "Title", lang = "" } = {}) =>
  searchDocument({
    type: "page",
    contentFormat: "text",
    privacyLevel: "private",
    capturedAt: 0,
    url: asFiltered(url),
    title: asFiltered(title),
    content: asFiltered(content),
    plainText: null,
    tabMetadata: asFiltered({ id: "1", url: "", title: "", isActive: true, isLoading: false, windowId: 0, lastUpdated: "", lang }),
    metadata: asFiltered({}),
  });

test("makes terms without capitals, quotes and spaces, each with its sign", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      const { title, meta, content, forms } = documentOf(text.toWellFormed(), { title: text.toWellFormed() });
      for (const list of [title, meta, content, forms])
        for (const term of list.split(" ")) expect(term).toMatch(/^$|^:(?:[a-z0-9]|[^\p{ASCII}])*$/u);
    }),
  );
});

test("reads stored terms back", () => {
  const text = "Green tea, naïve C#";
  const { stored } = documentOf(text, { title: "Tea time", lang: "en" });
  const { title, content, ...rest } = decodeTerms(stored);
  expect([...title]).toEqual(["tea", "time"].map(hashOf));
  expect([...content]).toEqual(["green", "tea", "naiv", "csharp"].map(hashOf));
  expect(rest).toMatchObject({ language: "en", lengths: [2, 10, 4] });
});

test("stores a bounded part of a megabyte of text", () => {
  for (const text of ["x".repeat(1 << 20), "a.".repeat(1 << 19), "aB".repeat(1 << 19), "茶".repeat(350_000)])
    expect(documentOf(text).stored.length).toBeLessThan(100_000);
});

test("folds a character the same way with an accent, which it loses, and without", () => {
  const unlike: string[] = [];
  for (let point = 0x370; point < 0x1_0000; point++) {
    const character = String.fromCharCode(point);
    if (!/[\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(character)) continue;
    if (foldWord(character) !== foldWord(`${character}\u0301`)) unlike.push(character);
  }
  expect(unlike).toEqual([]);
});
