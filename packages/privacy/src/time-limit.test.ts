import { expect, test } from "vitest";
import { filterContext, FilterBoundsError, redactHtml, redactRecord, redactText, redactUrl } from "./index.js";

const text = "Write to jo@example.org, card 4111 1111 1111 1111. ".repeat(2000);
const input = {
  type: "page",
  url: "https://a.example/",
  title: "x",
  content: text,
  contentFormat: "text" as const,
  privacyLevel: "private" as const,
  tabMetadata: { id: "1", url: "https://a.example/", title: "x", isActive: true, isLoading: false, windowId: 1, lastUpdated: "" },
  metadata: {},
};
/** Over before any detector has run. */
const none = { maxMs: Number.MIN_VALUE };
const enough = { maxMs: 600_000 };

test.each([
  ["redactText", (options: object) => redactText(text, "filtered", options)],
  ["redactHtml", (options: object) => redactHtml(`<p>${text}</p>`, "private", options)],
  ["redactHtml to text", (options: object) => redactHtml(`<p>${text}</p>`, "filtered", options)],
  ["redactUrl", (options: object) => redactUrl(`https://a.example/?q=${text}`, "private", options)],
  ["redactRecord", (options: object) => redactRecord({ text, more: [text] }, "private", options)],
] as const)("%s gives up after maxMs, and is the same within it", (_, run) => {
  expect(() => run(none)).toThrow(FilterBoundsError);
  expect(run(enough)).toEqual(run({}));
});

test("filterContext fails closed after maxMs", () => {
  const outcome = filterContext(input, {}, none);
  expect(outcome).toMatchObject({
    captured: true,
    level: "restricted",
    failedClosed: true,
    failure: "FilterBoundsError",
    context: { content: "" },
  });
  expect(filterContext(input, {}, enough)).toEqual(filterContext(input));
});

test.each([0, -1, Number.NaN])("a maxMs of %s is refused", (maxMs) => {
  expect(() => redactText("x", "private", { maxMs })).toThrow(RangeError);
  expect(() => filterContext(input, {}, { maxMs })).toThrow(RangeError);
});
