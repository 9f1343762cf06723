import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explain, filterContext, type PrivacyLevel, redactHtml, redactRecord, redactText, redactUrl } from "../src/index.js";
import { htmlToText } from "../src/html/to-text.js";
import { tokenizeHtml } from "../src/html/tokenizer.js";
import { laidOutHtml, messyHtml, messyJson, messyText, planted } from "./arbitraries.js";

const levels = fc.constantFrom<PrivacyLevel>("public", "private", "filtered", "restricted");
const storedLevels = fc.constantFrom<PrivacyLevel>("public", "private", "filtered");
const runs = { numRuns: 300 };

describe("text", () => {
  test("filtering twice is filtering once", () => {
    fc.assert(
      fc.property(
        messyText,
        levels,
        fc.constantFrom("content" as const, "title" as const),
        fc.constantFrom("text" as const, "markdown" as const),
        (text, level, place, format) => {
          const once = redactText(text, level, { place, format }).text;
          expect(redactText(once, level, { place, format }).text).toBe(once);
        },
      ),
      runs,
    );
  });

  test("spans are disjoint, in order and on the original; the rest stays as it was", () => {
    fc.assert(
      fc.property(messyText, storedLevels, (text, level) => {
        const spans = explain(text, level);
        let at = 0;
        let rest = redactText(text, level).text;
        for (const { start, end } of spans) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          const kept = text.slice(at, start);
          expect(rest.startsWith(kept)).toBe(true);
          rest = rest.slice(kept.length).replace(/^(?:\[REDACTED:[a-z_]+\]|REDACTED|%5BREDACTED%5D)/, "");
          at = end;
        }
        expect(rest).toBe(text.slice(at));
      }),
      runs,
    );
  });

  test("the result is never longer than a stand-in for each span allows", () => {
    fc.assert(
      fc.property(messyText, levels, (text, level) => {
        const { text: out, redactions } = redactText(text, level);
        const count = Object.values(redactions).reduce((sum, next) => sum + next, 0);
        expect(out.length).toBeLessThanOrEqual(text.length + count * "[REDACTED:one_time_code]".length);
      }),
      runs,
    );
  });

  test("a planted value never survives where its level removes it", () => {
    const words = fc
      .array(fc.constantFrom("the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog", "in", "May"), {
        minLength: 1,
        maxLength: 8,
      })
      .map((list) => list.join(" "));
    fc.assert(
      fc.property(
        words,
        fc.constantFrom(...planted),
        words,
        fc.constantFrom(" ", "\n", ' "', ", ", "\t("),
        (before, [, value], after, gap) => {
          expect(redactText(`${before}${gap}${value} ${after}`, "filtered").text).not.toContain(value);
        },
      ),
      runs,
    );
  });
});

describe("JSON", () => {
  test("stays JSON of the same shape", () => {
    fc.assert(
      fc.property(messyJson, storedLevels, fc.constantFrom(0, 2), (value, level, indent) => {
        const source = JSON.stringify(value, null, indent);
        const filtered = redactText(source, level).text;
        expect(() => JSON.parse(filtered) as unknown).not.toThrow();
        expect(shape(JSON.parse(filtered))).toEqual(shape(value));
      }),
      runs,
    );
  });

  test("a record is filtered to rest and keeps no key that is always dropped", () => {
    fc.assert(
      fc.property(messyJson, levels, (value, level) => {
        const once = redactRecord({ ...value, cookies: "a=b", headers: { x: "y" } }, level).record;
        expect(Object.keys(once)).not.toContain("cookies");
        expect(Object.keys(once)).not.toContain("headers");
        expect(redactRecord(once, level).record).toEqual(once);
      }),
      runs,
    );
  });
});

/** Number of entries and nesting; values and keys may change. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (value !== null && typeof value === "object") return Object.values(value).map(shape);
  return "value";
}

describe("markdown", () => {
  test("a stand-in never becomes a link or a definition", () => {
    fc.assert(
      fc.property(fc.constantFrom(...planted), fc.constantFrom(": text", "(x)", "[x]", ":x", " (x)"), ([, value], after) => {
        const { text } = redactText(`${value}${after}`, "filtered", { format: "markdown" });
        expect(text).not.toMatch(/(?<!\\)\[REDACTED:[a-z_]+\][(:[]/);
      }),
      runs,
    );
  });

  test("links keep their destination's brackets, tables their bars, code its fences", () => {
    const source =
      '| a | b |\n|---|---|\n| jo@example.org | 203.0.113.77 |\n\n[mail](mailto:jo@example.org) and [x](https://me:pw@a.example/?token=abc123)\n\n```\npassword = "hunter2!"\n```\n';
    expect(redactText(source, "filtered", { format: "markdown" }).text).toBe(
      '| a | b |\n|---|---|\n| [REDACTED:email] | [REDACTED:ip] |\n\n[mail](mailto:REDACTED) and [x](https://REDACTED@a.example/?token=REDACTED)\n\n```\npassword = "[REDACTED:password]"\n```\n',
    );
  });
});

describe("HTML", () => {
  test("filtering twice is filtering once", () => {
    fc.assert(
      fc.property(fc.oneof(messyHtml, laidOutHtml), fc.constantFrom<PrivacyLevel>("public", "private"), (html, level) => {
        const once = redactHtml(html, level).html;
        expect(redactHtml(once, level).html).toBe(once);
      }),
      runs,
    );
  });

  test("the text of a filtered page holds nothing that the text filter would find", () => {
    fc.assert(
      fc.property(laidOutHtml, fc.constantFrom<PrivacyLevel>("public", "private"), (html, level) => {
        const { text } = htmlToText(redactHtml(html, level).html);
        expect(redactText(text, level)).toEqual({ text, redactions: {} });
      }),
      runs,
    );
  });

  test("no script, style, event handler or comment is left", () => {
    fc.assert(
      fc.property(messyHtml, fc.constantFrom<PrivacyLevel>("public", "private"), (html, level) => {
        const tokens = tokenizeHtml(redactHtml(html, level).html);
        for (const token of tokens) {
          expect(token.type).not.toBe("comment");
          if (token.type !== "start") continue;
          expect(["script", "style", "svg", "iframe"]).not.toContain(token.name);
          expect(token.attributes.filter(({ name }) => name.startsWith("on") || name === "style")).toEqual([]);
        }
      }),
      runs,
    );
  });

  test("tokens are the whole source", () => {
    fc.assert(
      fc.property(messyHtml, (html) => {
        expect(
          tokenizeHtml(html)
            .map(({ start, end }) => html.slice(start, end))
            .join(""),
        ).toBe(html);
      }),
      runs,
    );
  });
});

test("URLs are filtered to rest", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        messyText.map((text) => `https://a.example/x?a=${text}`),
        messyText,
      ),
      levels,
      (url, level) => {
        const once = redactUrl(url, level).url;
        expect(redactUrl(once, level).url).toBe(once);
      },
    ),
    runs,
  );
});

test("a context is never stored at a lower level than asked for, whatever it holds", () => {
  fc.assert(
    fc.property(
      messyText,
      messyText,
      levels,
      fc.constantFrom("text" as const, "html" as const, "markdown" as const),
      (content, title, privacyLevel, contentFormat) => {
        const url = "https://blog.example.com/";
        const outcome = filterContext({
          type: "page",
          url,
          title,
          content,
          contentFormat,
          privacyLevel,
          metadata: { note: title },
          tabMetadata: { id: "1", url, title, isActive: true, isLoading: false, windowId: 0, lastUpdated: "2026-01-31T00:00:00Z" },
        });
        if (!outcome.captured) throw new Error("captured");
        const order = ["public", "private", "filtered", "restricted"];
        expect(order.indexOf(outcome.level)).toBeGreaterThanOrEqual(order.indexOf(privacyLevel));
        expect(outcome.failedClosed).toBe(false);
      },
    ),
    runs,
  );
});
