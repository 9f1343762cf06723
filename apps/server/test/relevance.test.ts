import { expect } from "vitest";
import { languageTexts } from "./language-texts.js";
import { type Searcher, withSearcher as test } from "./search-world.js";

/** A context of a case: what matters of it. The first is the oldest; one that is a text is named by it. */
interface CaseContext {
  id: string;
  title?: string;
  url?: string;
  content?: string;
  metadata?: Record<string, string>;
}

/** What a search must answer on every engine: ids, best first; a correction of the query, and what the first snippet shows. */
type RelevanceCase = readonly [
  name: string,
  contexts: ReadonlyArray<CaseContext | string>,
  query: string,
  finds: readonly string[],
  more?: { correctedQuery?: string; shows?: string },
];

/** Forms of a word in a sentence of its language: one is stored, the other asked for. */
const inflections: Partial<Record<keyof typeof languageTexts, string>> = {
  en: "connections:connecting generously:generous running:runs",
  de: "Häuser:Haus Versicherungen:Versicherung Straße:strasse freundlichen:freundlich",
  fr: "chevaux:cheval mangées:manger été:ete nationales:national",
  es: "canciones:canción niños:ninos trabajando:trabajar",
  pt: "cantaram:cantar coração:coracao",
  it: "ragazze:ragazza parlando:parlare velocità:velocita",
  nl: "boeken:boek mogelijkheden:mogelijkheid",
  sv: "flickorna:flicka bilarna:bilar smörgås:smorgas",
  ru: "книгами:книга красивого:красивый ёлка:елка",
};

const inflected = Object.entries(inflections).flatMap(([language, pairs]) =>
  pairs.split(" ").map((pair): RelevanceCase => {
    const [stored = "", asked = ""] = pair.split(":");
    const frame = languageTexts[language as keyof typeof languageTexts];
    const contexts = [
      { id: "other", content: frame },
      { id: "it", content: `${frame} ${stored}.` },
    ];
    return [`${language}: ${asked} finds ${stored}`, contexts, asked, ["it"], { shows: stored }];
  }),
);

const languageNames = [
  "The C language",
  "Working in C++17",
  "Guide to C#: basics",
  "F# for fun",
  "The .NET runtime",
  "A net of C, F and page#c#top",
];
const signs = ["C++:1", "C#:2", "F#:3", ".NET:4"].map((pair): RelevanceCase => {
  const [name = "", place] = pair.split(":");
  return [`${name} is found as itself`, languageNames, name.toLowerCase(), [languageNames[Number(place)] ?? ""]];
});

const calls = ["call getUserName() first", "call it by its name"];
const identifiers = ["getUserName", "user name", "get_user_name", "getusername", "user.name"].map((asked): RelevanceCase => [
  `identifiers: ${asked} finds getUserName`,
  calls,
  asked,
  ["call getUserName() first"],
]);

const animals = ["an elephant in the room", "слоны и шахматы", "nothing"];
const mistyped = ["a letter too few:elphant", "a letter too many:elepphant", "a wrong letter:elephanr", "two letters swapped:elehpant"].map(
  (pair): RelevanceCase => {
    const [what = "", asked = ""] = pair.split(":");
    return [`a typing error: ${what}`, animals, asked, ["an elephant in the room"], { correctedQuery: "elephant" }];
  },
);

const relevanceCases: readonly RelevanceCase[] = [
  ...inflected,
  [
    "Chinese: a word within a sentence",
    ["我们在学习机器学习的基础知识", "机器很贵，学习很难"],
    "机器学习",
    ["我们在学习机器学习的基础知识"],
    { shows: "机器学习" },
  ],
  ...signs,
  [
    "node.js is found as itself, and a sign counts in a phrase",
    ["Effective C++ programming", "Effective C programming", "node.js streams", "a node of js"],
    '"effective c++" OR node.js',
    ["node.js streams", "Effective C++ programming"],
  ],
  ["Chinese: two characters", ["今天天气很好", "今日无事"], "天气", ["今天天气很好"]],
  ["Chinese: one character", ["红茶", "咖啡"], "茶", ["红茶"]],
  ["Chinese: what nothing has as one is found by its parts", ["机器翻译的历史", "花园"], "机器学习", ["机器翻译的历史"]],
  ["Japanese: kanji and kana", ["東京タワーの高さ", "京都の東"], "東京", ["東京タワーの高さ"]],
  ["Japanese: half width and full width are the same", ["カタカナ", "ひらがな"], "ｶﾀｶﾅ", ["カタカナ"]],
  ["Korean: a noun without its particle", ["학교에서 공부한다", "병원에 간다"], "학교", ["학교에서 공부한다"]],
  ["Thai: a word without spaces around it", ["ประเทศไทยสวยงาม", "อาหารญี่ปุ่น"], "ไทย", ["ประเทศไทยสวยงาม"]],
  ["Thai: tone marks are kept apart", ["มา", "ม้า"], "ม้า", ["ม้า"]],
  ...identifiers,
  ["identifiers: HTTPServer by its parts", ["class HTTPServer", "class Client"], "http server", ["class HTTPServer"]],
  ["identifiers: snake_case by a part", ["max_retry_count = 3", "nothing"], "retry", ["max_retry_count = 3"]],
  ["identifiers: a dotted name whole", ["use asyncio.gather here", "gather flowers"], "asyncio.gather", ["use asyncio.gather here"]],
  ["a phrase does not join words that stand apart", ["set up wi-fi at home", "e-mail"], '"wifi home"', []],
  ["identifiers: written together or apart", ["set up wi-fi at home", "fi is not wi"], "wifi", ["set up wi-fi at home"]],
  [
    "folds accents, ligatures and widths",
    ["Øresund Łódź İstanbul ﬁsh ｆｕｌｌ paraŀlel"],
    "oresund lodz istanbul fish full parallel",
    ["Øresund Łódź İstanbul ﬁsh ｆｕｌｌ paraŀlel"],
  ],
  ["numbers are words", ["error 1045 on login", "error 1054 on login"], "error 1045", ["error 1045 on login"]],
  [
    "the exact title comes first, then words in a title, then in the text",
    [
      { id: "exact", title: "Rust Ownership", content: "short" },
      { id: "text", title: "Notes", content: "a note on ownership in rust and on much else that has no bearing on it" },
      { id: "title", title: "All about Rust and its Ownership rules", content: "words" },
    ],
    "rust ownership",
    ["exact", "title", "text"],
  ],
  [
    "words next to each other before words apart",
    [
      { id: "near", content: "the garden has a green tea house and some stones and a pond with old fish in it" },
      { id: "apart", content: "the tea house has a garden and some stones and a pond with old fish that is green" },
    ],
    "green tea",
    ["near", "apart"],
  ],
  ["without a word", ["green tea", "black tea"], "tea -black", ["green tea"]],
  ["without a phrase", ["green tea house", "tea so green"], 'tea -"green tea"', ["tea so green"]],
  [
    "three words and more: contexts with some follow those with all",
    ["alpha beta gamma", "alpha gamma", "nothing here", "beta only"],
    "alpha beta gamma",
    ["alpha beta gamma", "alpha gamma", "beta only"],
  ],
  ["two words: only contexts with both", ["alpha beta", "alpha alpha"], "alpha beta", ["alpha beta"]],
  ...mistyped,
  ["a typing error in Russian", animals, "слоны шахмоты", ["слоны и шахматы"], { correctedQuery: "слоны шахматы" }],
  [
    "a typing error in one of two words",
    ["the borrow checker", "borrow a book"],
    "borow checker",
    ["the borrow checker"],
    { correctedQuery: "borrow checker" },
  ],
  [
    "the more frequent correction wins",
    ["bread", "bread and butter", "broad"],
    "bzead",
    ["bread", "bread and butter"],
    { correctedQuery: "bread" },
  ],
  ["no correction of a word that is known", ["form", "from form to form"], "form", ["from form to form", "form"]],
  ["no correction of short words and of numbers", ["cat 12345"], "cxt 12346", []],
];

test.for(relevanceCases)("%s", async ([, contexts, query, finds, more = {}], { fixture }) => {
  const { add, search, everything } = fixture;
  const rows = contexts.map((context) => (typeof context === "string" ? { id: context, content: context } : context));
  await add(...rows.map(({ id, ...rest }) => ({ contextId: id.slice(0, 100), ...rest })));
  const found = await search(everything, { query, limit: 20, offset: 0 });
  expect(found.results.map(({ contextId }) => contextId)).toEqual(finds);
  expect(found.correctedQuery).toBe(more.correctedQuery);
  expect(found.results[0]?.snippet ?? "").toContain(more.shows ?? "");
  const relevances = found.results.map(({ relevance }) => relevance);
  expect(relevances).toEqual(relevances.toSorted((a, b) => b - a));
  expect(found.total).toBe(finds.length);
});

const many = (count: number, sentence: string) => Array.from({ length: count }, (_, index) => sentence.replace("#", `n${index}`)).join(" ");
const tea = many(100, "Saffron tea with ginger powder #.");

/** Asserts that a query finds these contexts and no others. */
async function expectFound({ search, everything }: Searcher, query: string, ...ids: string[]) {
  const { results, total, totalIsExact } = await search(everything, { query, limit: 100, offset: 0 });
  const found = { query, ids: results.map(({ contextId }) => contextId).toSorted(), total, totalIsExact };
  expect(found).toEqual({ query, ids: ids.toSorted(), total: ids.length, totalIsExact: true });
}

test("finds a phrase where it stands, however often its words occur", async ({ fixture: user }) => {
  // PostgreSQL has no places past 16,383 words.
  const vast = `Kettle: ${many(6_000, "# o#")} ${many(100, "kettle # brass")}`;
  await user.add(
    { contextId: "apart", content: tea },
    { contextId: "last", content: `${tea} A saffron kettle.` },
    { contextId: "title", title: "A saffron kettle", content: tea },
    { contextId: "note", content: tea, metadata: { note: "saffron kettle" } },
    { contextId: "code", content: many(200, "Call node and then js here, # times.") },
    { contextId: "vast", content: vast },
    { contextId: "vast lamp", content: `${vast} kettle brass` },
    { contextId: "signs", content: `${many(100, "Wi-Fi and modern C++ are #.")} Green wi-fi and old c++` },
  );
  const having = ["last", "note", "title"];
  await expectFound(user, '"saffron kettle"', ...having);
  await expectFound(user, '"powder tea"');
  await expectFound(user, 'saffron -"powder tea"', "apart", ...having);
  await expectFound(user, 'saffron -"saffron kettle"', "apart");
  await expectFound(user, '"node js"');
  await expectFound(user, '"kettle brass"', "vast lamp");
  await expectFound(user, 'kettle brass -"kettle brass"', "vast");
  await expectFound(user, '"old c++"', "signs");
  await expectFound(user, '"green wi-fi"', "signs");
  await expectFound(user, 'wifi -"old c++"');
  await expectFound(user, 'wifi -"green c++"', "signs");
});

test("wants a quoted phrase also when nothing has all the words of the query", async ({ fixture: user }) => {
  await user.add({ contextId: "apart", content: "A brass ornament and an oil lamp" }, { contextId: "other", content: "Flights to Rome" });
  await expectFound(user, '"brass lamp" flights');
  await expectFound(user, '"oil lamp" unicorn', "apart");
  await expectFound(user, '"oil lamp" unicorn -ornament');
});

test.for(["en", "de", "ru"] as const)(
  "finds a phrase in every language, where most contexts are in one: %s",
  async (most, { fixture: user }) => {
    const languages = Object.entries(languageTexts);
    await user.add(
      ...Array.from({ length: 200 }, (_, index) => ({ contextId: `most ${index}`, content: `${languageTexts[most]} ${index}.` })),
      ...languages.flatMap(([language, text]) => [
        { contextId: `${language} yes`, content: `${text}: running directories, ${text}.` },
        // The words in the forms of every language, but no two next to each other that one language takes for the phrase.
        { contextId: `${language} no`, content: `${text}: running and run of directory, directories and directori, ${text}.` },
        { contextId: `${language} one`, content: `${text}: running directories alone, ${text}.` },
      ]),
    );
    const all = (...kinds: string[]) => languages.flatMap(([language]) => kinds.map((kind) => `${language} ${kind}`));
    await expectFound(user, '"running directories"', ...all("yes", "one"));
    await expectFound(user, '"running directories" -alone', ...all("yes"));
    await expectFound(user, '"running directories" "directories alone"', ...all("one"));
    await expectFound(user, 'alone "running directories"', ...all("one"));
    // Another form of the words is found where the language of the context knows it.
    await expectFound(user, '"run directory"', "en yes", "en one");
  },
);
