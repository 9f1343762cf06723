import { expect, test } from "vitest";
import { searchQueries } from "./search-queries.ts";
import { countWords } from "./word-counts.ts";

const documents = Array.from({ length: 1_000 }, (_, index) => ({
  url: `https://host-${index}.example/guide/page`,
  title: "",
  content: `about ${index % 4 === 0 ? "Package files" : "42"} ${index % 33 === 0 ? "stream" : ""} ${index === 1 ? "ouzel" : ""}`,
}));

test("words are drawn by the share of documents that hold them, phrases and parts of URLs as they stand, and none twice", () => {
  const queries = searchQueries(countWords(documents), 400, 1);
  expect(queries.rare).toEqual(["ouzel"]);
  expect(queries.common.sort()).toEqual(["files", "package"]);
  expect(queries.phrase).toEqual(['"files stream"']);
  expect(queries.url.every((part) => documents.some(({ url }) => url.includes(part)))).toBe(true);
  expect(new Set(queries.none).size).toBe(400);
  expect(searchQueries(countWords(documents), 400, 1)).toEqual({ ...queries, common: expect.any(Array) });
});
