import messages from "../static/_locales/en/messages.json" with { type: "json" };
import { type Words, createWords } from "../src/words/words.js";

/** The English texts, with what is given in them, as the browser does it. */
export const englishWords: Words = createWords({
  getMessage: (name, given = []) =>
    messages[name as keyof typeof messages].message.replaceAll(/\$([1-9])/g, (_, place: string) => given[Number(place) - 1] ?? ""),
});
