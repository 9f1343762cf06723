import { languageTexts } from "./language-texts.js";

/** A context of a case: what matters of it. The first is the oldest; one that is a text is named by it. */
interface CaseContext {
  id: string;
  title?: string;
  url?: string;
  content?: string;
  metadata?: Record<string, string>;
}

/** What a search must answer on every engine: ids, best first; a correction of the query, and what the first snippet shows. */
export type RelevanceCase = readonly [
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

export const relevanceCases: readonly RelevanceCase[] = [
  ...inflected,
  [
    "letters that Unicode does not decompose are found as they are typed without them",
    ["Łódź and Øresund", "Þingvellir and æther", "plain"],
    "lodz oresund",
    ["Łódź and Øresund"],
  ],
  [
    "Chinese: a word within a sentence",
    ["我们在学习机器学习的基础知识", "机器很贵，学习很难"],
    "机器学习",
    ["我们在学习机器学习的基础知识"],
    { shows: "机器学习" },
  ],
  [
    "C++ is found as itself",
    ["The C language", "Working in C++17", "Guide to C#: basics", "F# for fun", "The .NET runtime", "A net of C, F and page#c#top"],
    "c++",
    ["Working in C++17"],
  ],
  [
    "C# is found as itself",
    ["The C language", "Working in C++17", "Guide to C#: basics", "F# for fun", "The .NET runtime", "A net of C, F and page#c#top"],
    "c#",
    ["Guide to C#: basics"],
  ],
  [
    "F# is found as itself",
    ["The C language", "Working in C++17", "Guide to C#: basics", "F# for fun", "The .NET runtime", "A net of C, F and page#c#top"],
    "f#",
    ["F# for fun"],
  ],
  [
    ".NET is found as itself",
    ["The C language", "Working in C++17", "Guide to C#: basics", "F# for fun", "The .NET runtime", "A net of C, F and page#c#top"],
    ".net",
    ["The .NET runtime"],
  ],
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
  [
    "identifiers: getUserName finds getUserName",
    ["call getUserName() first", "call it by its name"],
    "getUserName",
    ["call getUserName() first"],
  ],
  [
    "identifiers: user name finds getUserName",
    ["call getUserName() first", "call it by its name"],
    "user name",
    ["call getUserName() first"],
  ],
  [
    "identifiers: get_user_name finds getUserName",
    ["call getUserName() first", "call it by its name"],
    "get_user_name",
    ["call getUserName() first"],
  ],
  [
    "identifiers: getusername finds getUserName",
    ["call getUserName() first", "call it by its name"],
    "getusername",
    ["call getUserName() first"],
  ],
  [
    "identifiers: user.name finds getUserName",
    ["call getUserName() first", "call it by its name"],
    "user.name",
    ["call getUserName() first"],
  ],
  ["identifiers: HTTPServer by its parts", ["class HTTPServer", "class Client"], "http server", ["class HTTPServer"]],
  ["identifiers: snake_case by a part", ["max_retry_count = 3", "nothing"], "retry", ["max_retry_count = 3"]],
  ["identifiers: a dotted name whole", ["use asyncio.gather here", "gather flowers"], "asyncio.gather", ["use asyncio.gather here"]],
  ["identifiers: written together or apart", ["set up wi-fi at home", "fi is not wi"], "wifi", ["set up wi-fi at home"]],
  ["numbers are words", ["error 1045 on login", "error 1054 on login"], "error 1045", ["error 1045 on login"]],
  [
    "URLs by their parts",
    [
      { id: "a", url: "https://docs.python.org/3/library/asyncio.html" },
      { id: "b", url: "https://example.org/" },
    ],
    "python asyncio",
    ["a"],
  ],
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
  [
    "equal matches come newest first",
    [
      { id: "old", content: "equal" },
      { id: "new", content: "equal" },
    ],
    "equal",
    ["new", "old"],
  ],
  ["a quoted phrase as it stands", ["a cup of green tea", "tea on green hills"], '"green tea"', ["a cup of green tea"]],
  ["a phrase of stop words", ["to be or not to be", "not to be or to be"], '"to be or not to be"', ["to be or not to be"]],
  ["without a word", ["green tea", "black tea"], "tea -black", ["green tea"]],
  ["without a phrase", ["green tea house", "tea so green"], 'tea -"green tea"', ["tea so green"]],
  ["one or the other", ["coffee", "tea", "milk"], "tea OR coffee", ["tea", "coffee"]],
  ["metadata is searched", [{ id: "a", content: "x", metadata: { project: "walkabout" } }], "walkabout", ["a"]],
  [
    "three words and more: contexts with some follow those with all",
    ["alpha beta gamma", "alpha gamma", "nothing here", "beta only"],
    "alpha beta gamma",
    ["alpha beta gamma", "alpha gamma", "beta only"],
  ],
  ["two words: only contexts with both", ["alpha beta", "alpha alpha"], "alpha beta", ["alpha beta"]],
  [
    "a typing error: a letter too few",
    ["an elephant in the room", "слоны и шахматы", "nothing"],
    "elphant",
    ["an elephant in the room"],
    { correctedQuery: "elephant" },
  ],
  [
    "a typing error: a letter too many",
    ["an elephant in the room", "слоны и шахматы", "nothing"],
    "elepphant",
    ["an elephant in the room"],
    { correctedQuery: "elephant" },
  ],
  [
    "a typing error: a wrong letter",
    ["an elephant in the room", "слоны и шахматы", "nothing"],
    "elephanr",
    ["an elephant in the room"],
    { correctedQuery: "elephant" },
  ],
  [
    "a typing error: two letters the wrong way round",
    ["an elephant in the room", "слоны и шахматы", "nothing"],
    "elehpant",
    ["an elephant in the room"],
    { correctedQuery: "elephant" },
  ],
  [
    "a typing error: in Russian",
    ["an elephant in the room", "слоны и шахматы", "nothing"],
    "слоны шахмоты",
    ["слоны и шахматы"],
    { correctedQuery: "слоны шахматы" },
  ],
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
