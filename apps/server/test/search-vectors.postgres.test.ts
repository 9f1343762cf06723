import { expect, it } from "vitest";
import { listVector } from "../src/search/analysis/list-vector-fixture.js";
import { vectorVersions } from "../src/search/analysis/term-vector.js";
import { candidatesOf } from "../src/storage/postgres/search-vectors.js";
import { createMessage } from "./messages.js";
import { TestServer } from "./test-server.js";

/** Its vector is too long to be cut where it lies. */
const longPage = { id: "long", content: `first words ${Array.from({ length: 3_500 }, (_, index) => `w${index}`).join(" ")} last words` };

const queries = [
  "word",
  "old papers",
  '"word again"',
  '"last words"',
  "words -first",
  // Of more parts than are cut out of a vector.
  "w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16",
  "a word and the word again papers old w1 w2 w3 w4 w5 w6",
];

it("what is found is the same whether vectors are read in parts, whole, or as they were stored before they had parts", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  const { base64, ...page } = listVector;
  for (const context of [{ id: "old", ...page }, longPage, { id: "other", content: "another word again" }])
    await client.sync(createMessage({ timestamp: "2026-01-31T12:00:00Z", context }));
  const answers = async () =>
    await Promise.all(queries.map(async (query) => (await client.get(`/context/search?query=${encodeURIComponent(query)}`)).body));
  const ofParts = await answers();
  expect(ofParts.map(({ total }) => total)).toEqual([3, 1, 2, 1, 2, 1, 3]);
  const sent = async (hashes: readonly number[]) => {
    const { statement, values } = candidatesOf(hashes);
    const rows = await server.rows<{ row: number; vector: string }>(statement.text, client.userId, [1, 2, 3], ...values);
    const vectors = rows.toSorted((a, b) => a.row - b.row).map(({ vector }) => Buffer.from(vector, "base64"));
    return vectors.map((vector) => [vector[0], vector.length < 60]);
  };
  const [cut, whole] = [
    [vectorVersions.someParts, true],
    [vectorVersions.parts, false],
  ];
  expect(await sent([])).toEqual([cut, whole, cut]);
  expect(await sent([1, 2 ** 31])).toEqual([cut, whole, cut]);
  expect(await sent(Array.from({ length: 9 }, (_, index) => index * 2 ** 27))).toEqual([whole, whole, whole]);
  const lengths = await server.rows(
    `SELECT "contextId", length(vector) > 7000 AS "isLong", get_byte(vector, 0) AS version FROM search_vectors`,
  );
  expect(lengths).toContainEqual({ contextId: "long", isLong: true, version: 2 });

  await server.rows(`UPDATE search_vectors SET vector = decode('${base64}', 'base64') WHERE "contextId" = 'old'`);
  expect(await answers()).toEqual(ofParts);
});
