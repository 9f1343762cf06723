import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Filtered } from "../../privacy/privacy-filter.js";
import { searchDocument } from "../search-document.js";
import { detectLanguage } from "./detect-language.js";
import { foldWord } from "./fold.js";
import type { Language } from "./languages.js";
import { scan } from "./scan.js";
import { stemEnglish } from "./stem-english.js";
import { hashOf } from "./term-hash.js";
import { listVector } from "./list-vector-fixture.js";
import { decodeVector, termsOfVector } from "./read-vector.js";
import { encodeVector, headerAt, partBytes, partsAt, placeOf, type Field, vectorPartOf, vectorVersions } from "./term-vector.js";

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

/** A vector as an engine sends it that reads the header and the parts of these hashes. */
function cutVector(bytes: Uint8Array, hashes: readonly number[]): Uint8Array {
  const beginOf = (part: number) => Buffer.from(bytes).readUIntBE(partsAt + part * partBytes, partBytes);
  const parts = [...new Set(hashes.map(vectorPartOf))].map((part) => bytes.subarray(beginOf(part), beginOf(part + 1)));
  return Buffer.concat([Uint8Array.of(vectorVersions.someParts), bytes.subarray(headerAt, beginOf(0)), ...parts]);
}

describe("term vectors", () => {
  test("keep counts and places of every term", () => {
    const place = fc.tuple(fc.nat(3), fc.nat(200_000)).map(([field, position]) => placeOf(field as Field, position));
    const order = [0, 1, 3, 2];
    const stored = (places: number[]) =>
      order.flatMap((field) => places.filter((each) => Math.floor(each / 0x1000000) === field).sort((a, b) => a - b));
    const term = fc.record({ hash: fc.integer(), places: fc.uniqueArray(place, { minLength: 1, maxLength: 20 }), more: fc.nat(500) });
    const terms = fc.uniqueArray(term, { maxLength: 50, selector: ({ hash }) => hash >>> 10 });
    fc.assert(
      fc.property(terms, fc.array(fc.nat(100_000), { minLength: 4, maxLength: 4 }), (all, lengths) => {
        const input = all.map(({ hash, places, more }) => ({ hash, places: stored(places), count: places.length + more }));
        const bytes = encodeVector(
          { language: "nl", titleHash: 4_000_000_000, lengths },
          {
            size: input.length,
            hashes: input.map(({ hash }) => hash),
            counts: input.map(({ count }) => count),
            placesOf(index, into) {
              into.set(input[index]?.places ?? []);
              return input[index]?.places.length ?? 0;
            },
          },
        );
        const wanted = input.map(({ hash }) => hash).sort((a, b) => (a >>> 0) - (b >>> 0));
        const decoded = decodeVector(bytes, wanted);
        expect(decoded).toMatchObject({ language: "nl", titleHash: 4_000_000_000, lengths, isCut: false });
        for (const { hash, count, places } of input) expect(decoded.found.get(hash)).toEqual({ count, places });
        expect(decodeVector(bytes, []).found.size).toBe(0);
        const whole = Array.from(termsOfVector(bytes));
        expect(whole.map(({ hash }) => hash >>> 10)).toEqual(input.map(({ hash }) => hash >>> 10).sort((a, b) => a - b));
        for (const { hash, count, places } of input)
          expect(whole.filter((each) => each.hash >>> 10 === hash >>> 10)).toContainEqual({
            hash: expect.any(Number),
            term: { count, places },
          });
        const some = wanted.filter((_, index) => index % 3 === 0);
        const others = some.map((hash) => hash ^ 0x400).filter((hash) => !wanted.some((each) => each >>> 10 === hash >>> 10));
        // Two that are the same as far as a vector tells them apart are both there.
        const asked = [...some, ...some.map((hash) => hash ^ 1), ...others].sort((a, b) => (a >>> 0) - (b >>> 0));
        const found = decodeVector(bytes, asked);
        expect(new Set(found.found.keys())).toEqual(new Set(asked.filter((hash) => !others.includes(hash))));
        expect(decodeVector(cutVector(bytes, asked), asked)).toEqual(found);
      }),
    );
  });

  test("as they were stored before they had parts are read as well", () => {
    const { base64, content, ...others } = listVector;
    const { vector } = documentOf(content, others);
    const hashes = ["old", "paper", "word", "again", "none"].map((name) => hashOf(name)).sort((a, b) => (a >>> 0) - (b >>> 0));
    const decoded = decodeVector(vector, hashes);
    expect(decoded.found.size).toBe(4);
    expect(decodeVector(Buffer.from(base64, "base64"), hashes)).toEqual(decoded);
    expect(Array.from(termsOfVector(Buffer.from(base64, "base64")))).toEqual(Array.from(termsOfVector(vector)));
  });

  test("of a page of 5 KB takes about 2 KB", () => {
    const words = Array.from({ length: 800 }, (_, index) => `word${(index * index) % 397}`).join(" ");
    expect(documentOf(words).vector.length).toBeLessThan(2_600);
  });
});

/** What a database holds has passed the filter. */
const asFiltered = <T>(value: T) => value as Filtered<T>;

const documentOf = (content: string, { url = "https://example.com/", title = "Title" } = {}) =>
  searchDocument({
    type: "page",
    privacyLevel: "private",
    capturedAt: 0,
    url: asFiltered(url),
    title: asFiltered(title),
    content: asFiltered(content),
    plainText: null,
    tabMetadata: asFiltered({ id: "1", url: "", title: "", isActive: true, isLoading: false, windowId: 0, lastUpdated: "" }),
    metadata: asFiltered({}),
  });

test("an engine can keep every term as it stands: no signs but its first, no capitals, no space, and none twice", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      const terms = documentOf(text.toWellFormed()).terms.split(" ");
      for (const term of terms) expect(term).toMatch(/^[:^=/@%!#*](?:[a-z0-9]|[^\p{ASCII}])*$/u);
      expect(new Set(terms).size).toBe(terms.length);
    }),
  );
});

test("a megabyte of text is bounded", () => {
  for (const text of [
    "x".repeat(1 << 20),
    "a.".repeat(1 << 19),
    "aB".repeat(1 << 19),
    "茶".repeat(350_000),
    Array.from({ length: 150_000 }, (_, index) => index.toString(36)).join(" "),
  ]) {
    const { terms, vector } = documentOf(text);
    expect(terms.split(" ").length).toBeLessThan(31_000);
    expect(vector.length).toBeLessThan(200_000);
  }
});

test("hashes are what databases hold", () =>
  expect([hashOf(""), hashOf("tea"), hashOf("茶")].map((hash) => hash >>> 0)).toMatchInlineSnapshot(`
  [
    2872998923,
    3908727473,
    2312506331,
  ]
`));
