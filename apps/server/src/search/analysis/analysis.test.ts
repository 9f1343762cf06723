import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Filtered } from "../../privacy/privacy-filter.js";
import { type SearchDocument, searchDocument } from "../search-document.js";
import { decodeTerms, hashOf } from "../stored-terms.js";
import { detectLanguage } from "./detect-language.js";
import { foldWord } from "./fold.js";
import type { Language } from "./languages.js";
import { scan } from "./scan.js";
import { stemEnglish } from "./stem-english.js";

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
  ["東京都へ go", "東京 京都 都へ へ go"],
  ["ที่นี่", "ที่นี่ นี่"],
  ["𠀀𠀁", "𠀀𠀁 𠀁"],
  [". - _ ' \ud800", ""],
])("the words of %s", (text, expected) => expect(scanned(text).join(" ")).toBe(expected));

test.each([
  ["Éclair", "eclair"],
  ["STRASSE", "strasse"],
  ["Straße", "strasse"],
  ["paraŀlel", "parallel"],
  ["Øresund", "oresund"],
  ["Łódź", "lodz"],
  ["ｆｕｌｌ", "full"],
  ["ﬁsh", "fish"],
  ["Йод", "йод"],
  ["Ёлка", "елка"],
  ["ΟΔΟΣ", "οδοσ"],
  ["İstanbul", "istanbul"],
  ["한국어", "한국어"],
  ["がぎ", "がぎ"],
  ["⑴", "1"],
])("%s folds to %s", (word, folded) => expect(foldWord(word)).toBe(folded));

// From the Snowball project's vocabulary of the language.
test.each(
  "abilities:abil agreed:agre apologist:apolog arsenal:arsenal conditional:condit connection:connect consistency:consist controlling:control cries:cri dying:die exceedingly:exceed generously:generous happily:happili hopping:hop hoping:hope hopefulness:hope inning:inning internal:internal news:news relational:relat sensational:sensat skies:sky ties:tie traditionally:tradit vietnamization:vietnam yelling:yell"
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
)("the stem of %s is %s", (word, stem) => expect(stemEnglish(word)).toBe(stem));

test.each<[Language, string]>([
  ["en", "All human beings are born free and equal in dignity and rights"],
  ["de", "Alle Menschen sind frei und gleich an Würde und Rechten geboren"],
  ["fr", "Tous les êtres humains naissent libres et égaux en dignité et en droits"],
  ["es", "Todos los seres humanos nacen libres e iguales en dignidad y derechos"],
  ["pt", "Todos os seres humanos nascem livres e iguais em dignidade e em direitos"],
  ["it", "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti"],
  ["nl", "Alle mensen worden vrij en gelijk in waardigheid en rechten geboren"],
  ["sv", "Alla människor är födda fria och lika i värde och rättigheter"],
  ["ru", "Все люди рождаются свободными и равными в своём достоинстве и правах"],
  ["en", "const x = 42;"],
  ["en", "機械学習"],
  ["en", ""],
])("%s is the language of %s", (language, text) => expect(detectLanguage(text)).toBe(language));

test("what a page says of its language decides where its words do not", () => {
  expect(detectLanguage("Kontakt", "de-CH")).toBe("de");
  expect(detectLanguage("All human beings are born free and equal in dignity and rights", "de")).toBe("en");
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

const listsOf = ({ title, meta, content, forms, filters, urlGrams }: SearchDocument) => ({
  title,
  meta,
  content,
  forms,
  filters,
  urlGrams,
});

test("makes terms without capitals, quotes and spaces, each with its sign", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      const { title, meta, content, forms } = listsOf(documentOf(text.toWellFormed(), { title: text.toWellFormed() }));
      for (const list of [title, meta, content, forms])
        for (const term of list.split(" ")) expect(term).toMatch(/^$|^:(?:[a-z0-9]|[^\p{ASCII}])*$/u);
    }),
  );
});

test("keeps the order of words, and other forms beside it", () => {
  const { content, forms } = documentOf("The getUserName of C++ in 東京都 cafés");
  expect(content).toBe(":the :get :user :name :of :cplusplus :in :東京 :京都 :cafe");
  expect(forms.split(" ")).toEqual(expect.arrayContaining([":getusernam", ":c", ":東", ":都"]));
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
