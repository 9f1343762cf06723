import { expect, it } from "vitest";
import { openSearchWorld } from "./search-world.js";
import type { Language } from "../src/search/analysis/languages.js";

// Each is long enough to tell its language by, and makes its own of "listings of directories".
const texts: Readonly<Record<Language, string>> = {
  en: "It was the best of times, and there was nothing that they could not do about it when they had been there",
  de: "Das ist ein Text, der nur davon erzählt, was die Leute in der Stadt mit ihren Händen und mit der Zeit machen",
  fr: "Ceci est un texte qui raconte seulement ce que les gens de la ville font avec leurs mains et pour leur plaisir",
  es: "Este es un texto que cuenta solamente lo que la gente de la ciudad hace con las manos y por qué lo hace así",
  pt: "Este é um texto que conta somente o que as pessoas da cidade fazem com as mãos e por que não fazem outra coisa",
  it: "Questo è un testo che racconta soltanto quello che la gente della città fa con le mani e perché lo fa così",
  nl: "Dit is een tekst die alleen vertelt wat de mensen in de stad met hun handen doen en waarom ze dat zo doen",
  sv: "Det här är en text som bara berättar vad människorna i staden gör med sina händer och varför de gör så",
  ru: "Это текст, который рассказывает только о том, что люди в городе делают своими руками и почему они так делают",
};

it.each(["en", "de", "ru"] as const)("a phrase is found in every language, where most is of one: %s", async (most) => {
  await using world = await openSearchWorld();
  const { add, search, everything } = world.newUser();
  await add(
    ...Array.from({ length: 20 }, (_, index) => ({ contextId: `most ${index}`, content: `${texts[most]} ${index}.` })),
    ...Object.entries(texts).flatMap(([language, text]) => [
      { contextId: `${language} yes`, content: `${text}: running directories, ${text}.` },
      // English has all of the words' forms, and not next to each other.
      { contextId: `${language} no`, content: `${text}: running and run of directory, directories and directori, ${text}.` },
      { contextId: `${language} one`, content: `${text}: running directories alone, ${text}.` },
    ]),
  );
  const idsOf = async (query: string) => {
    const { results, total, totalIsExact } = await search(everything, { query, limit: 100, offset: 0 });
    expect([total, totalIsExact]).toEqual([results.length, true]);
    return results.map(({ contextId }) => contextId).toSorted();
  };
  const all = (...kinds: string[]) => Object.keys(texts).flatMap((language) => kinds.map((kind) => `${language} ${kind}`));
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
