import type messages from "../../static/_locales/en/messages.json";

/** The name of a text of `_locales`. */
export type WordsName = keyof typeof messages;

/** A text in the language of the browser; `$1` to `$9` in it are what is given. */
export type Words = (name: WordsName, ...given: (string | number)[]) => string;

type Underscored<Code extends string> = Code extends `${infer Head}-${infer Rest}` ? `${Head}_${Underscored<Rest>}` : Code;

/** The name of the text that says a code: `state_not_listed` for `not-listed` of `state`. */
export const messageName = <Group extends string, Code extends string>(group: Group, code: Code) =>
  `${group}_${code.replaceAll("-", "_")}` as `${Group}_${Underscored<Code>}`;

export function createWords(i18n: { getMessage(name: string, given?: string[]): string }): Words {
  return (name, ...given) => i18n.getMessage(name, given.map(String)) || name;
}

/** A time of today as people write it, with the date when it is another day. `""` for none. */
export function timeWords(at: number | null, now: number): string {
  if (at === null) return "";
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return new Intl.DateTimeFormat(undefined, { ...(!isToday && { dateStyle: "medium" }), timeStyle: "short" }).format(at);
}
