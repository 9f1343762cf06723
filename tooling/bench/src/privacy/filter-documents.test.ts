import { redactHtml, redactText } from "@periscope/privacy";
import { expect, test } from "vitest";
import { filterDocument } from "./filter-documents.ts";
import { textbookFilter } from "./textbook-filter.ts";

test.each(["text", "markdown", "html"] as const)("%s: the same document each time, with identifiers that the filter finds", (format) => {
  const document = filterDocument(format, 200_000);
  expect(filterDocument(format, 200_000).content === document.content).toBe(true);
  expect(document.planted.length).toBeGreaterThan(11);
  const plain = document.content.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  expect(document.planted.filter(({ value }) => !plain.includes(value))).toEqual([]);
  const filtered = format === "html" ? redactHtml(document.content, "filtered").html : redactText(document.content, "filtered").text;
  expect(document.planted.filter(({ value }) => filtered.includes(value))).toEqual([]);
});

test("the textbook rules remove every kind from plain text", () => {
  const document = filterDocument("text", 200_000);
  const filtered = textbookFilter(document.content, "filtered");
  expect(document.planted.filter(({ value }) => filtered.includes(value))).toEqual([]);
});
