import { expect, it } from "vitest";
import { filterContext } from "./filter-context.js";
import { type ContextPart, toFilterInput, pickPatchedFields } from "./patch.js";

const rest = { privacyLevel: "private", contentFormat: "text" } as const;

function storedOf(part: ContextPart) {
  const outcome = filterContext(toFilterInput(part, rest));
  return outcome.captured ? pickPatchedFields(part, outcome.context) : outcome.reasons;
}

it("keeps only the fields that a patch has, each filtered", () => {
  const content = "my card is 4111 1111 1111 1111";
  const part = { content, title: undefined, tabMetadata: { title: "Reading", lang: undefined } };
  expect(storedOf(part)).toStrictEqual({ content: "my card is [REDACTED:card]", tabMetadata: { title: "Reading" } });
  expect(storedOf({ metadata: { project: "sea" } })).toStrictEqual({ metadata: { project: "sea" } });
  expect(storedOf({})).toStrictEqual({});
});

it("filters a patch by the page and the window that its tabMetadata names", () => {
  expect(storedOf({ tabMetadata: { url: "chrome://settings/" } })).toEqual(["browser-page"]);
  expect(storedOf({ title: "Seen", tabMetadata: { incognito: true } })).toEqual(["private-window"]);
});

it("takes content for that of a form where the patch does not say what it is", () => {
  const field = { name: "csrf", type: "hidden", value: "blue-horse" };
  const content = JSON.stringify([field, { name: "q", type: "text", filled: false }]);
  expect(JSON.stringify(storedOf({ content }))).toContain("csrf");
  expect(JSON.stringify(storedOf({ content }))).not.toContain("blue-horse");
  expect(JSON.stringify(storedOf({ content, type: "form" }))).not.toContain("blue-horse");
});

it.each(["[]", "[1]", '[{"name":"Ada","age":7}]', '[{"value":"x"}]', '{"name":"x","value":"y"}'])("takes %s for a page", (content) => {
  expect(storedOf({ content })).toEqual({ content });
});
