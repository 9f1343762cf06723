import { expect } from "vitest";
import { languageTexts } from "./language-texts.js";
import { type Searcher, withSearcher as it } from "./search-world.js";

const many = (count: number, sentence: string) => Array.from({ length: count }, (_, index) => sentence.replace("#", `n${index}`)).join(" ");
const tea = many(100, "Saffron tea with ginger powder #.");

/** Asserts that a query finds these contexts and no others. */
async function expectFound({ search, everything }: Searcher, query: string, ...ids: string[]) {
  const { results, total, totalIsExact } = await search(everything, { query, limit: 100, offset: 0 });
  const found = { query, ids: results.map(({ contextId }) => contextId).toSorted(), total, totalIsExact };
  expect(found).toEqual({ query, ids: ids.toSorted(), total: ids.length, totalIsExact: true });
}

it("finds a phrase where it stands, however often its words occur", async ({ fixture: user }) => {
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

it("wants a quoted phrase also when nothing has all the words of the query", async ({ fixture: user }) => {
  await user.add({ contextId: "apart", content: "A brass ornament and an oil lamp" }, { contextId: "other", content: "Flights to Rome" });
  await expectFound(user, '"brass lamp" flights');
  await expectFound(user, '"oil lamp" unicorn', "apart");
  await expectFound(user, '"oil lamp" unicorn -ornament');
});

it.for(["en", "de", "ru"] as const)(
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
