/** What is wrong with an Authorization header, and the header made of a valid key; undefined is none at all. */
export const wrongAuthorizations: ReadonlyArray<readonly [what: string, header: (key: string) => string | undefined]> = [
  ["no key", () => undefined],
  ["an empty header", () => ""],
  ["a key without a scheme", (key: string) => key],
  ["the scheme alone", () => "Bearer"],
  ["the scheme and a blank", () => "Bearer "],
  ["basic authentication", (key: string) => `Basic ${Buffer.from(`${key}:`).toString("base64")}`],
  ["the key under another scheme", (key: string) => `Token ${key}`],
  ["two keys", (key: string) => `Bearer ${key} ${key}`],
  ["a key in quotes", (key: string) => `Bearer "${key}"`],
  ["text that is no key", () => "Bearer opensesame"],
  ["a key that was never made", () => `Bearer psk_01ARZ3NDEKTSV4RRFFQ69G5FAV_${"a".repeat(43)}`],
  ["one character of the secret changed", (key: string) => `Bearer ${withWrongSecret(key)}`],
  ["a key cut short", (key: string) => `Bearer ${key.slice(0, -1)}`],
  ["a key with one character more", (key: string) => `Bearer ${key}0`],
  ["a key in the other case", (key: string) => `Bearer ${key.toUpperCase()}`],
];

/** The key with one character of its secret changed for another. */
function withWrongSecret(key: string): string {
  return key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
}
