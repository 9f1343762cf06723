import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { filterContext, type PrivacyLevel, redactRecord } from "../src/index.js";
import { messyText, planted } from "./arbitraries.js";

const storedLevels = fc.constantFrom<PrivacyLevel>("public", "private", "filtered");
const runs = { numRuns: 300 };

/** Names of keys and fields, with planted values and stand-ins among them. */
const messyName = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...planted).map(([, value]) => value) },
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          "api",
          "key",
          "Kennwort",
          "one",
          "time",
          "code",
          "mail",
          "token",
          " ",
          "_",
          "[REDACTED:api_key]",
          "[REDACTED:email]#2",
          "#2",
        ),
        fc.constantFrom(...planted).map(([, value]) => value),
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => parts.join(" ")),
);

/** A form with values planted as names, labels and values. */
const messyForm = fc.array(
  fc.record(
    { name: messyName, type: fc.constantFrom("text", "tel", "search", "[REDACTED:ip]"), label: messyName, value: messyText },
    { requiredKeys: ["name", "type"] },
  ),
  { maxLength: 4 },
);

describe("names that hold what is removed", () => {
  test("a record keeps each entry, and is filtered to rest", () => {
    fc.assert(
      fc.property(fc.dictionary(messyName, fc.oneof(messyText, fc.integer())), storedLevels, (value, level) => {
        const once = redactRecord(value, level).record;
        expect(Object.keys(once).length).toBe(Object.keys(value).length);
        expect(redactRecord(once, level).record).toEqual(once);
      }),
      runs,
    );
  });

  test("a form is filtered to rest", () => {
    fc.assert(
      fc.property(messyForm, storedLevels, (fields, privacyLevel) => {
        const filtered = (content: string): string => {
          const url = "https://blog.example.com/";
          const tabMetadata = { id: "1", url, title: "", isActive: true, isLoading: false, windowId: 0, lastUpdated: "" };
          const outcome = filterContext({
            type: "form",
            url,
            title: "",
            content,
            contentFormat: "text",
            privacyLevel,
            metadata: {},
            tabMetadata,
          });
          if (!outcome.captured || outcome.failedClosed) throw new Error("filtered");
          return outcome.context.content;
        };
        const once = filtered(JSON.stringify(fields));
        expect(filtered(once)).toBe(once);
      }),
      runs,
    );
  });
});
