import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { foldWord } from "./fold.js";
import { stemEnglish } from "./stem-english.js";
import { stopWordLists } from "./stop-word-lists.js";

/** Languages whose words are stemmed, by ISO 639-1. */
export const languages = ["en", "de", "fr", "es", "pt", "it", "nl", "sv", "ru"] as const;
export type Language = (typeof languages)[number];

/** Of a text whose language is none of them. */
export const defaultLanguage: Language = "en";

/** Stems of words in lower case: Snowball's algorithm of each language. */
export const stemmers: Readonly<Record<Language, (word: string) => string>> = {
  en: stemEnglish,
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
  it: italian,
  nl: dutch,
  sv: swedish,
  ru: russian,
};

/** Stop words of each language as they are compared: folded, and cut at apostrophes as the scanner cuts them. */
export const stopWords: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: stopSet("en"),
  de: stopSet("de"),
  fr: stopSet("fr"),
  es: stopSet("es"),
  pt: stopSet("pt"),
  it: stopSet("it"),
  nl: stopSet("nl"),
  sv: stopSet("sv"),
  ru: stopSet("ru"),
};

function stopSet(language: Language): ReadonlySet<string> {
  return new Set(stopWordLists[language].split(/[ '\u2019]/).map(foldWord));
}
