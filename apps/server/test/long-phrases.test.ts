import { expect, it } from "vitest";
import { openSearchWorld, type Searcher } from "./search-world.js";

const many = (count: number, sentence: string) => Array.from({ length: count }, (_, index) => sentence.replace("#", `n${index}`)).join(" ");
const tea = many(100, "Saffron tea with ginger powder #.");

async function found({ search, everything }: Searcher, query: string, limit = 100) {
  const { results, total, totalIsExact } = await search(everything, { query, limit, offset: 0 });
  return { ids: results.map(({ contextId }) => contextId).toSorted(), total, totalIsExact };
}
const exactly = (...ids: string[]) => ({ ids, total: ids.length, totalIsExact: true });

// Of a word in a context the index keeps 64 places.
it("a phrase is found where it stands, and nowhere else, however often its words occur", async () => {
  await using world = await openSearchWorld();
  const user = world.newUser();
  await user.add(
    { contextId: "apart", content: tea },
    { contextId: "last", content: `${tea} A saffron kettle.` },
    { contextId: "title", title: "A saffron kettle", content: tea },
    { contextId: "note", content: tea, metadata: { note: "saffron kettle" } },
    { contextId: "code", content: many(200, "Call node and then js here, # times.") },
    // Of so many pairs there is no filter.
    { contextId: "vast", content: `Kettle: ${many(9_000, "# o#")} ${many(100, "kettle # brass")}` },
    { contextId: "vast lamp", content: `Kettle: ${many(9_000, "# o#")} ${many(100, "kettle # brass")} kettle brass` },
    // Written together, these are a word too, where the first of them stands.
    { contextId: "signs", content: `${many(100, "Wi-Fi and modern C++ are #.")} Green wi-fi and old c++` },
  );
  const having = ["last", "note", "title"];
  expect(await found(user, '"saffron kettle"')).toEqual(exactly(...having));
  expect(await found(user, '"powder tea"')).toEqual(exactly());
  expect(await found(user, 'saffron -"saffron kettle"')).toEqual(exactly("apart"));
  expect(await found(user, 'saffron -"saffron ginger"')).toEqual(exactly("apart", ...having));
  expect(await found(user, '"node js"')).toEqual(exactly());
  expect(await found(user, '"kettle brass"')).toEqual(exactly("vast lamp"));
  expect(await found(user, 'kettle brass -"kettle brass"')).toEqual(exactly("vast"));
  for (const query of ['"green wifi"', '"old c++"', '"green wi-fi"']) expect(await found(user, query)).toEqual(exactly("signs"));
  expect(await found(user, 'wifi -"old c++"')).toEqual(exactly());
  expect(await found(user, 'wifi -"green c++"')).toEqual(exactly("signs"));
});

it("no more texts are read for it than a search may read, and the total says so", async () => {
  await using world = await openSearchWorld();
  const user = world.newUser();
  await user.add(...Array.from({ length: 60 }, (_, index) => ({ contextId: `c${index}`, content: tea })));
  expect(await found(user, 'saffron -"powder tea"')).toMatchObject({ total: 60, totalIsExact: false });
  const other = world.newUser();
  await other.add({ content: `${tea} ${many(120_000, "And #.")}` });
  expect(await found(other, 'saffron -"powder tea"')).toMatchObject({ total: 1, totalIsExact: false });
});

it("when nothing has all, words of a phrase that stand apart are no match, as far as they are looked at", async () => {
  await using world = await openSearchWorld();
  const user = world.newUser();
  await user.add({ contextId: "apart", content: "A brass ornament and an oil lamp" }, { contextId: "other", content: "Flights to Rome" });
  expect(await found(user, '"brass lamp" flights')).toEqual(exactly("other"));
  await user.add({ contextId: "phrase", content: "A brass lamp" });
  expect(await found(user, '"brass lamp" flights')).toEqual(exactly("other", "phrase"));
  // One of them is enough, also where the other one is in doubt.
  await user.add({ contextId: "tea", content: `${tea} Cinnamon.` });
  expect(await found(user, '"powder tea" cinnamon unicorn')).toEqual(exactly("tea"));
  expect(await found(user, '"powder tea" unicorn')).toEqual(exactly());
  // Of a context with too many words to know each, the index is trusted; but not where it is known to have what is not wanted.
  const vast = (begin: string) => ({ content: `${begin} ${many(5_000, "# o#")} late` });
  await user.add({ contextId: "may be", ...vast("Early") }, { contextId: "left out", ...vast("Green tea") });
  expect(await found(user, 'late unicorn -"green tea"')).toMatchObject({ ids: ["may be"], total: 1 });
  // More than are looked at: these may be a match, and none is shown twice.
  await user.add(...Array.from({ length: 1_600 }, (_, index) => ({ contextId: `lamp ${index}`, content: "A lamp of brass" })));
  const pages = await Promise.all(
    [0, 60, 120].map((offset) => user.search(user.everything, { query: '"brass lamp" flights', limit: 60, offset })),
  );
  const ids = pages.flatMap(({ results }) => results.map(({ contextId }) => contextId));
  expect([ids[0], ids.includes("phrase")]).toEqual(["other", true]);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { total, totalIsExact } of pages) expect({ total, totalIsExact }).toEqual({ total: ids.length, totalIsExact: false });
  expect(ids.length).toBeLessThan(200);
});
