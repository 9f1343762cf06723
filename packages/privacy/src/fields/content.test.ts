import { expect, test } from "vitest";
import { filterContext } from "../filter-context.js";
import type { ContentFormat, FilterInput } from "../types.js";

const url = "https://a.example/";
const tab = { id: "1", url, title: "", isActive: true, isLoading: false, windowId: 0, lastUpdated: "2026-01-31T12:00:00.000Z" };

function filteredTwice(type: string, contentFormat: ContentFormat, content: string) {
  const input: FilterInput = { type, url, title: "", content, contentFormat, privacyLevel: "filtered", tabMetadata: tab, metadata: {} };
  const once = filterContext(input);
  const twice = once.captured ? filterContext({ ...input, ...once.context, privacyLevel: once.level }) : once;
  if (!once.captured || !twice.captured) throw new Error("captured by the default policy");
  return { once: { level: once.level, content: once.context.content }, twice: { level: twice.level, content: twice.context.content } };
}

test("filtering again does not take a page about forms for a form", () => {
  const { once, twice } = filteredTwice("page", "html", '<p>Write &lt;input type="password" value="x"&gt; and &lt;b&gt;</p>');
  expect(once).toEqual({ level: "filtered", content: 'Write < input type="password" value="x"> and < b>' });
  expect(twice).toEqual(once);
});

test("a form's text that begins with a stand-in is kept when it is filtered again", () => {
  const { once, twice } = filteredTwice("form", "text", "jo@mail.example is who to ask");
  expect(once.content).toBe("[REDACTED:email] is who to ask");
  expect(twice).toEqual(once);
});

test.each(['{"a": 1}', '[1, {"name": 2}', ' [ "x"'])("a form that is JSON of another shape, %s, is dropped", (content) => {
  expect(filteredTwice("form", "text", content).once.content).toBe("");
});
