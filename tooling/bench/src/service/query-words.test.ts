import { expect, test } from "vitest";
import { queryWords } from "./query-words.ts";

test("words are picked by the share of documents that hold them, and dull ones never", () => {
  const documents = Array.from({ length: 1_000 }, (_, index) => ({
    url: "https://x.dev/",
    title: "",
    content: `with ${index % 4 === 0 ? "Package" : ""} ${index % 33 === 0 ? "stream" : ""} ${index === 1 ? "ouzel ouzel_two" : ""} everywhere`,
  }));
  expect(queryWords(documents, 5)).toEqual({ rare: ["ouzel"], medium: ["stream"], common: ["package"] });
});
