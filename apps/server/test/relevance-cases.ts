import { languageTexts } from "./language-texts.js";

/** A context of a case: what matters of it. The first is the oldest. */
export interface CaseContext {
  id: string;
  title?: string;
  url?: string;
  content?: string;
  metadata?: Record<string, string>;
}

/** What a search over some contexts must answer, on every engine. */
export interface RelevanceCase {
  name: string;
  contexts: readonly CaseContext[];
  query: string;
  /** Ids, best first. */
  finds: readonly string[];
  correctedQuery?: string;
  /** What the first snippet must show. */
  shows?: string;
}

/** Contexts of one text each, named by it. */
const texts = (...all: string[]): CaseContext[] => all.map((content) => ({ id: content, content }));

/** One form of a word is stored, another is asked for. */
function inflected(language: string, frame: string, pairs: ReadonlyArray<readonly [string, string]>): RelevanceCase[] {
  return pairs.map(([stored, asked]) => ({
    name: `${language}: ${asked} finds ${stored}`,
    contexts: [
      { id: "other", content: frame },
      { id: "it", content: `${frame} ${stored}.` },
    ],
    query: asked,
    finds: ["it"],
    shows: stored,
  }));
}

export const relevanceCases: readonly RelevanceCase[] = [
  ...inflected("English", languageTexts.en, [
    ["connections", "connecting"],
    ["generously", "generous"],
    ["running", "runs"],
  ]),
  ...inflected("German", languageTexts.de, [
    ["Häuser", "Haus"],
    ["Versicherungen", "Versicherung"],
    ["Straße", "strasse"],
    ["freundlichen", "freundlich"],
  ]),
  ...inflected("French", languageTexts.fr, [
    ["chevaux", "cheval"],
    ["mangées", "manger"],
    ["été", "ete"],
    ["nationales", "national"],
  ]),
  ...inflected("Spanish", languageTexts.es, [
    ["canciones", "canción"],
    ["niños", "ninos"],
    ["trabajando", "trabajar"],
  ]),
  ...inflected("Portuguese", languageTexts.pt, [
    ["cantaram", "cantar"],
    ["coração", "coracao"],
  ]),
  ...inflected("Italian", languageTexts.it, [
    ["ragazze", "ragazza"],
    ["parlando", "parlare"],
    ["velocità", "velocita"],
  ]),
  ...inflected("Dutch", languageTexts.nl, [
    ["boeken", "boek"],
    ["mogelijkheden", "mogelijkheid"],
  ]),
  ...inflected("Swedish", languageTexts.sv, [
    ["flickorna", "flicka"],
    ["bilarna", "bilar"],
    ["smörgås", "smorgas"],
  ]),
  ...inflected("Russian", languageTexts.ru, [
    ["книгами", "книга"],
    ["красивого", "красивый"],
    ["ёлка", "елка"],
  ]),
  {
    name: "letters that Unicode does not decompose are found as they are typed without them",
    contexts: texts("Łódź and Øresund", "Þingvellir and æther", "plain"),
    query: "lodz oresund",
    finds: ["Łódź and Øresund"],
  },
  {
    name: "Chinese: a word within a sentence",
    contexts: texts("我们在学习机器学习的基础知识", "机器很贵，学习很难"),
    query: "机器学习",
    finds: ["我们在学习机器学习的基础知识"],
    shows: "机器学习",
  },
  ...["C++", "C#", "F#", ".NET"].map((name) => ({
    name: `${name} is found as itself`,
    contexts: texts(
      "The C language",
      "Working in C++17",
      "Guide to C#: basics",
      "F# for fun",
      "The .NET runtime",
      "A net of C, F and page#c#top",
    ),
    query: name.toLowerCase(),
    finds: ["Working in C++17", "Guide to C#: basics", "F# for fun", "The .NET runtime"].filter((text) => text.includes(name)),
  })),
  {
    name: "node.js is found as itself, and a sign counts in a phrase",
    contexts: texts("Effective C++ programming", "Effective C programming", "node.js streams", "a node of js"),
    query: '"effective c++" OR node.js',
    finds: ["node.js streams", "Effective C++ programming"],
  },
  { name: "Chinese: two characters", contexts: texts("今天天气很好", "今日无事"), query: "天气", finds: ["今天天气很好"] },
  { name: "Chinese: one character", contexts: texts("红茶", "咖啡"), query: "茶", finds: ["红茶"] },
  {
    name: "Chinese: what nothing has as one is found by its parts",
    contexts: texts("机器翻译的历史", "花园"),
    query: "机器学习",
    finds: ["机器翻译的历史"],
  },
  { name: "Japanese: kanji and kana", contexts: texts("東京タワーの高さ", "京都の東"), query: "東京", finds: ["東京タワーの高さ"] },
  { name: "Japanese: half width and full width are the same", contexts: texts("カタカナ", "ひらがな"), query: "ｶﾀｶﾅ", finds: ["カタカナ"] },
  {
    name: "Korean: a noun without its particle",
    contexts: texts("학교에서 공부한다", "병원에 간다"),
    query: "학교",
    finds: ["학교에서 공부한다"],
  },
  {
    name: "Thai: a word without spaces around it",
    contexts: texts("ประเทศไทยสวยงาม", "อาหารญี่ปุ่น"),
    query: "ไทย",
    finds: ["ประเทศไทยสวยงาม"],
  },
  { name: "Thai: tone marks are kept apart", contexts: texts("มา", "ม้า"), query: "ม้า", finds: ["ม้า"] },
  ...["getUserName", "user name", "get_user_name", "getusername", "user.name"].map((query) => ({
    name: `identifiers: ${query} finds getUserName`,
    contexts: texts("call getUserName() first", "call it by its name"),
    query,
    finds: ["call getUserName() first"],
  })),
  {
    name: "identifiers: HTTPServer by its parts",
    contexts: texts("class HTTPServer", "class Client"),
    query: "http server",
    finds: ["class HTTPServer"],
  },
  {
    name: "identifiers: snake_case by a part",
    contexts: texts("max_retry_count = 3", "nothing"),
    query: "retry",
    finds: ["max_retry_count = 3"],
  },
  {
    name: "identifiers: a dotted name whole",
    contexts: texts("use asyncio.gather here", "gather flowers"),
    query: "asyncio.gather",
    finds: ["use asyncio.gather here"],
  },
  {
    name: "identifiers: written together or apart",
    contexts: texts("set up wi-fi at home", "fi is not wi"),
    query: "wifi",
    finds: ["set up wi-fi at home"],
  },
  {
    name: "numbers are words",
    contexts: texts("error 1045 on login", "error 1054 on login"),
    query: "error 1045",
    finds: ["error 1045 on login"],
  },
  {
    name: "URLs by their parts",
    contexts: [
      { id: "a", url: "https://docs.python.org/3/library/asyncio.html" },
      { id: "b", url: "https://example.org/" },
    ],
    query: "python asyncio",
    finds: ["a"],
  },
  {
    name: "the exact title comes first, then words in a title, then in the text",
    contexts: [
      { id: "exact", title: "Rust Ownership", content: "short" },
      { id: "text", title: "Notes", content: "a note on ownership in rust and on much else that has no bearing on it" },
      { id: "title", title: "All about Rust and its Ownership rules", content: "words" },
    ],
    query: "rust ownership",
    finds: ["exact", "title", "text"],
  },
  {
    name: "words next to each other before words apart",
    contexts: [
      { id: "near", content: "the garden has a green tea house and some stones and a pond with old fish in it" },
      { id: "apart", content: "the tea house has a garden and some stones and a pond with old fish that is green" },
    ],
    query: "green tea",
    finds: ["near", "apart"],
  },
  {
    name: "equal matches come newest first",
    contexts: [
      { id: "old", content: "equal" },
      { id: "new", content: "equal" },
    ],
    query: "equal",
    finds: ["new", "old"],
  },
  {
    name: "a quoted phrase as it stands",
    contexts: texts("a cup of green tea", "tea on green hills"),
    query: '"green tea"',
    finds: ["a cup of green tea"],
  },
  {
    name: "a phrase of stop words",
    contexts: texts("to be or not to be", "not to be or to be"),
    query: '"to be or not to be"',
    finds: ["to be or not to be"],
  },
  { name: "without a word", contexts: texts("green tea", "black tea"), query: "tea -black", finds: ["green tea"] },
  { name: "without a phrase", contexts: texts("green tea house", "tea so green"), query: 'tea -"green tea"', finds: ["tea so green"] },
  { name: "one or the other", contexts: texts("coffee", "tea", "milk"), query: "tea OR coffee", finds: ["tea", "coffee"] },
  {
    name: "metadata is searched",
    contexts: [{ id: "a", content: "x", metadata: { project: "walkabout" } }],
    query: "walkabout",
    finds: ["a"],
  },
  {
    name: "three words and more: contexts with some follow those with all",
    contexts: texts("alpha beta gamma", "alpha gamma", "nothing here", "beta only"),
    query: "alpha beta gamma",
    finds: ["alpha beta gamma", "alpha gamma", "beta only"],
  },
  { name: "two words: only contexts with both", contexts: texts("alpha beta", "alpha alpha"), query: "alpha beta", finds: ["alpha beta"] },
  ...(
    [
      ["a letter too few", "elphant", "elephant"],
      ["a letter too many", "elepphant", "elephant"],
      ["a wrong letter", "elephanr", "elephant"],
      ["two letters the wrong way round", "elehpant", "elephant"],
      ["in Russian", "слоны шахмоты", "слоны шахматы"],
    ] as const
  ).map(([name, query, correctedQuery]) => ({
    name: `a typing error: ${name}`,
    contexts: texts("an elephant in the room", "слоны и шахматы", "nothing"),
    query,
    finds: [correctedQuery === "elephant" ? "an elephant in the room" : "слоны и шахматы"],
    correctedQuery,
  })),
  {
    name: "a typing error in one of two words",
    contexts: texts("the borrow checker", "borrow a book"),
    query: "borow checker",
    finds: ["the borrow checker"],
    correctedQuery: "borrow checker",
  },
  {
    name: "the more frequent correction wins",
    contexts: texts("bread", "bread and butter", "broad"),
    query: "bzead",
    finds: ["bread", "bread and butter"],
    correctedQuery: "bread",
  },
  {
    name: "no correction of a word that is known",
    contexts: texts("form", "from form to form"),
    query: "form",
    finds: ["from form to form", "form"],
  },
  { name: "no correction of short words and of numbers", contexts: texts("cat 12345"), query: "cxt 12346", finds: [] },
];
