import { expectLinear } from "@periscope/vitest/growth";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ContentFormat, ContextType } from "@periscope/schemas";
import { excerptTextOf, indexedTextOf } from "./plain-text.js";

const plainTextOf = (type: ContextType, contentFormat: ContentFormat, content: string) =>
  excerptTextOf({ type, contentFormat, content, plainText: null });

test.each([
  ["inline elements do not cut words", "<p>Hel<b>lo</b> <i>world</i></p>", "Hello world"],
  ["blocks separate words", "<div>one</div><div>two<br>three</div><ul><li>four<li>five</ul>", "one\ntwo\nthree\nfour\nfive"],
  ["cells separate words", "<table><tr><td>a<td>b</table>", "a\nb"],
  ["entities are decoded", "caf&eacute; &amp; t&#233;&nbsp;a &lt;b&gt; &#x1F355;", "café & té a <b> 🍕"],
  ["white space collapses", "  a \n\t b  ", "a b"],
  ["script, style, title and comments are no text", "<title>t</title><script>let a='<p>x</p>'</script><style>p{}</style>a<!-- b -->", "a"],
  [
    "noscript, template and svg are no text",
    "<noscript>n</noscript><template>t<p>u</p></template><svg><g><svg></svg><text>s</text></g></svg>a",
    "a",
  ],
  ["an empty svg hides nothing", "<svg/>a", "a"],
  ["a self-closed script hides its content", "<script src=x />let a</script>b", "b"],
  ["an unclosed head hides no body", "<head><meta charset=utf-8><title>t</title><p>text", "text"],
  ["a picture speaks by its alternative text", '<img src="x.png" alt="a black &amp; white cat">', "a black & white cat"],
  ["upper case and broken tags", "<P>one</DIV><P CLASS='x>y'>two</p", "one\ntwo"],
])("HTML: %s", (_name, html, text) => {
  expect(plainTextOf("page", "html", html)).toBe(text);
});

test.each([
  ["headings, emphasis and rules", "# One *two* __three__\n\n---\n\nFour\n====", "One two three Four"],
  ["snake case and products keep their signs", "snake_case_name 2 * 3", "snake_case_name 2 * 3"],
  ["links, pictures and references", "[one](https://a.b/c_(d) 'e') ![two](x.png) [three][ref]\n\n[ref]: https://x.y", "one two three"],
  ["lists and quotes", "- [x] one\n2. two\n> > three", "one two three"],
  ["tables", "| a | b |\n|:--|--:|\n| c | d |", "a b c d"],
  ["code keeps its signs", "Use `a<b> && *c*`.\n\n```ts\nif (a < b) # not a heading\n```", "Use a<b> && *c*. if (a < b) # not a heading"],
  ["HTML inside", "one <b>two</b> &amp; <https://x.y/z> <!-- no -->", "one two & https://x.y/z"],
  ["escaped marks", "\\*not emphasis\\* \\# x", "*not emphasis* # x"],
])("Markdown: %s", (_name, markdown, text) => {
  expect(plainTextOf("page", "markdown", markdown)).toBe(text);
});

test("addresses of links are indexed where there are no tags", () => {
  const source = { type: "page", contentFormat: "markdown", plainText: null } as const;
  expect(indexedTextOf({ ...source, content: "[one](https://a.example)" })).toBe("[one](https://a.example)");
  expect(indexedTextOf({ ...source, content: "[one](https://a.example) <b>two</b>" })).toBe("one two");
  expect(indexedTextOf({ ...source, content: "[one](https://a.example)", plainText: "[phone]" })).toBe("[phone]");
});

test("a form speaks by labels and values", () => {
  const fields = [
    { name: "q", type: "search", label: "Search", value: "red shoes", filled: true },
    { name: "size", type: "number", value: 42 },
    { name: "empty", type: "text", filled: false },
    null,
    "x",
  ];
  expect(plainTextOf("form", "text", JSON.stringify(fields))).toBe("Search: red shoes\nsize: 42\nempty");
});

test("reads plain text as it is, and a form that is no list of fields by its format", () => {
  expect(plainTextOf("page", "text", "a <b> & c")).toBe("a <b> & c");
  expect(plainTextOf("form", "text", "just text")).toBe("just text");
  expect(plainTextOf("form", "html", "<form><label>Name</label></form>")).toBe("Name");
  expect(plainTextOf("form", "text", '{"a":1}')).toBe('{"a":1}');
});

test.each([
  ["open angle brackets", "html", "<"],
  ["hidden elements", "html", "<svg>"],
  ["comments", "html", "<!--"],
  ["open links", "markdown", "[](("],
  ["ticks", "markdown", "` `` "],
] as const)("1 MiB of %s takes linear time", (_name, format, unit) => {
  const run = (length: number) => plainTextOf("page", format, unit.repeat(Math.floor(length / unit.length)));
  expectLinear(run, 1_048_576);
  expect(run(1_048_576)).toBeTypeOf("string");
});

test("nothing raises", () => {
  const pieces = fc.constantFrom("\n", "\0", "\ud800", ..."< > <p> </p> <svg & &#xD800; &#99999999; ` [ ]( ) * _ a".split(" "));
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(pieces, { maxLength: 60 }).map((all) => all.join("")),
  );
  fc.assert(
    fc.property(text, fc.constantFrom("text" as const, "html" as const, "markdown" as const), (content, format) => {
      for (const type of ["page", "form"] as const) expect(plainTextOf(type, format, content)).toBeTypeOf("string");
    }),
  );
});
