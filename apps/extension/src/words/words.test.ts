import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import german from "../../static/_locales/de/messages.json" with { type: "json" };
import messages from "../../static/_locales/en/messages.json" with { type: "json" };

const root = new URL("../..", import.meta.url);

async function textOf(folder: string, ending: RegExp): Promise<string> {
  const entries = await readdir(new URL(folder, root), { recursive: true });
  const files = entries.filter((name) => ending.test(name) && !name.endsWith(".test.ts"));
  return (await Promise.all(files.map((name) => readFile(new URL(`${folder}/${name}`, root), "utf8")))).join("\n");
}

test("pages name no text that there is not, and no text is there for nothing", async () => {
  const pages = await textOf("static", /\.html$/);
  const named = [...pages.matchAll(/data-words(?:-label|-placeholder)?="([^"]+)"/g)].map(([, name]) => name);
  expect(named.filter((name) => !Object.hasOwn(messages, name ?? ""))).toEqual([]);
  const sources = pages + (await textOf("src", /\.ts$/)) + (await textOf("build", /\.ts$/));
  const isUsed = (name: string) => {
    const [group = "", ...code] = name.split("_");
    if (code.length > 0) return sources.includes(`messageName("${group}",`) && sources.includes(`"${code.join("-")}"`);
    return sources.includes(`"${name}"`) || sources.includes(`__MSG_${name}__`);
  };
  const unused = Object.keys(messages).filter((name) => !isUsed(name));
  expect(unused).toEqual([]);
});

const placesIn = (message: string) => [...message.matchAll(/\$(\d)/g)].map(([, place]) => Number(place)).toSorted((a, b) => a - b);

test("English and German have the same texts, with the same places", () => {
  expect(Object.keys(german)).toEqual(Object.keys(messages));
  for (const [name, { message }] of Object.entries(messages))
    expect([name, placesIn(german[name as keyof typeof german].message)]).toEqual([name, placesIn(message)]);
});

test("every text that takes something is given it: places are $1 to $9, without a gap", () => {
  for (const { message } of Object.values(messages)) {
    const places = placesIn(message);
    expect(places).toEqual(places.map((_, index) => index + 1));
  }
});
