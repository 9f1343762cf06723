import { expect, it } from "vitest";
import { openSearchWorld } from "./search-world.js";
import { languageTexts } from "./language-texts.js";

it.each(["en", "de", "ru"] as const)("a phrase is found in every language, where most is of one: %s", async (most) => {
  await using world = await openSearchWorld();
  const { add, search, everything } = world.newUser();
  await add(
    ...Array.from({ length: 200 }, (_, index) => ({ contextId: `most ${index}`, content: `${languageTexts[most]} ${index}.` })),
    ...Object.entries(languageTexts).flatMap(([language, text]) => [
      { contextId: `${language} yes`, content: `${text}: running directories, ${text}.` },
      // The words' forms of every language, of which no two stand next to each other that one language has.
      { contextId: `${language} no`, content: `${text}: running and run of directory, directories and directori, ${text}.` },
      { contextId: `${language} one`, content: `${text}: running directories alone, ${text}.` },
    ]),
  );
  const idsOf = async (query: string) => {
    const { results, total, totalIsExact } = await search(everything, { query, limit: 100, offset: 0 });
    expect([total, totalIsExact]).toEqual([results.length, true]);
    return results.map(({ contextId }) => contextId).toSorted();
  };
  const all = (...kinds: string[]) => Object.keys(languageTexts).flatMap((language) => kinds.map((kind) => `${language} ${kind}`));
  expect(await idsOf('"running directories"')).toEqual(all("yes", "one").toSorted());
  expect(await idsOf('"running directories" -alone')).toEqual(all("yes").toSorted());
  expect(await idsOf('"running directories" "directories alone"')).toEqual(all("one").toSorted());
  expect(await idsOf('alone "running directories"')).toEqual(all("one").toSorted());
  // Another form is found in contexts of a language that knows it for one.
  expect(await idsOf('"run directory"')).toEqual(
    all("yes", "one")
      .filter((id) => id.startsWith("en"))
      .toSorted(),
  );
});
