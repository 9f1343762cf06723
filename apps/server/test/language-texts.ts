import type { Language } from "../src/search/analysis/languages.js";

/** A sentence of each language, long enough to tell it by. */
export const languageTexts: Readonly<Record<Language, string>> = {
  en: "It was the best of times, and there was nothing that they could not do about it when they had been there.",
  de: "Das ist ein Text, der nur davon erzählt, was die Leute in der Stadt mit ihren Händen und mit der Zeit machen.",
  fr: "Ceci est un texte qui raconte seulement ce que les gens de la ville font avec leurs mains et pour leur plaisir.",
  es: "Este es un texto que cuenta solamente lo que la gente de la ciudad hace con las manos y por qué lo hace así.",
  pt: "Este é um texto que conta somente o que as pessoas da cidade fazem com as mãos e por que não fazem outra coisa.",
  it: "Questo è un testo che racconta soltanto quello che la gente della città fa con le mani e perché lo fa così.",
  nl: "Dit is een tekst die alleen vertelt wat de mensen in de stad met hun handen doen en waarom ze dat zo doen.",
  sv: "Det här är en text som bara berättar vad människorna i staden gör med sina händer och varför de gör så.",
  ru: "Это текст, который рассказывает только о том, что люди в городе делают своими руками и почему они так делают.",
};
