import { expect, it } from "vitest";
import { filterContext } from "./filter-context.js";
import { type ContextPart, completePart, givenFields } from "./patch.js";

const rest = { privacyLevel: "private", contentFormat: "text" } as const;

function storedOf(part: ContextPart) {
  const outcome = filterContext(completePart(part, rest));
  return outcome.captured ? givenFields(part, outcome.context) : outcome.reasons;
}

it("leaves of a part only the fields that it has, each filtered", () => {
  const content = "my card is 4111 1111 1111 1111";
  const part = { content, title: undefined, tabMetadata: { title: "Reading", lang: undefined } };
  expect(storedOf(part)).toStrictEqual({ content: "my card is [REDACTED:card]", tabMetadata: { title: "Reading" } });
  expect(storedOf({ metadata: { project: "sea" } })).toStrictEqual({ metadata: { project: "sea" } });
  expect(storedOf({})).toStrictEqual({});
});

it("takes a part for one of the page that its tab names", () => {
  expect(storedOf({ tabMetadata: { url: "chrome://settings/" } })).toEqual(["browser-page"]);
  expect(storedOf({ title: "Seen", tabMetadata: { incognito: true } })).toEqual(["private-window"]);
});
