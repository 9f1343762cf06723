import { type FilterPolicy, isAtMost, type PrivacyLevel, privacyLevels } from "@periscope/privacy";
import type { ContextType } from "@periscope/schemas";
import fc from "fast-check";
import { expect, it } from "vitest";
import { toCapture, plainTextOf, toStored } from "../contexts/capture.js";
import type { StoredContext } from "../contexts/context.store.js";
import { createPrivacyFilter, type PrivacyFilter } from "../privacy/privacy-filter.js";
import { refilterContext } from "./refilter-context.js";

const secrets = ["ada@mail.example", "4111 1111 1111 1111", "Lovelace", "PCL-123456", "203.0.113.77", "+44 20 7946 0958"];

const policies: FilterPolicy[] = [
  {},
  { minimumLevel: "filtered" },
  { minimumLevel: "private", denyList: ["Lovelace"], patterns: [{ kind: "parcel", pattern: "PCL-[0-9]{6}", from: "public" }] },
  { siteRules: [{ site: "articles.example", level: "filtered" }], denyList: ["Lovelace"] },
  { categories: { library: { level: "restricted", sites: ["books.example"] } }, detectorsOn: ["email", "ip"] },
  { detectorsOff: ["phone"], minimumLevel: "restricted" },
];

const words = fc.constantFrom(...'the lamp of keeper was lit in phone card <b> </b> \n [a]( ) ` " { ='.split(" "));
const text = fc
  .array(fc.oneof({ weight: 3, arbitrary: words }, { weight: 1, arbitrary: fc.constantFrom(...secrets) }), { maxLength: 25 })
  .map((parts) => parts.join(" "));
/** Markup that a page has, and markup that it writes about. */
const control = fc.constantFrom(`<input type="password" value="hunter2">`, "&lt;input type='password' value='x'&gt; ");
const marked = fc.tuple(control, text).map((parts) => parts.join(""));
const [names, types] = [fc.constantFrom("email", "note", "password", "cc-number"), fc.constantFrom("text", "password", "hidden")];
const fields = fc.array(fc.record({ name: names, type: types, filled: fc.boolean(), value: text }), { maxLength: 4 });
const pages = fc.record({
  type: fc.constantFrom<ContextType>("page", "selection", "custom"),
  content: fc.oneof({ weight: 6, arbitrary: text }, { weight: 1, arbitrary: marked }),
});
const forms = fc.record({ type: fc.constant<ContextType>("form"), content: fields.map((all) => JSON.stringify(all)) });

const url = fc
  .tuple(
    fc.constantFrom("articles.example", "books.example", "mail.google.com"),
    fc.constantFrom("", "lamp", ...secrets),
    fc.constantFrom("", "?q=lamp", "?to=ada%40mail.example", "#top"),
  )
  .map(([host, path, rest]) => `https://${host}/${encodeURIComponent(path)}${rest}`);

const parts = fc.record({
  url,
  title: text,
  contentFormat: fc.constantFrom("text" as const, "html" as const, "markdown" as const),
  privacyLevel: fc.constantFrom<PrivacyLevel>(...privacyLevels),
  metadata: fc.dictionary(fc.constantFrom("author", "note", "pages"), fc.oneof(text, fc.integer()), { noNullPrototype: true }),
});
const captured = fc.tuple(parts, fc.oneof(pages, forms)).map(([part, page]) => ({ ...part, ...page }));
const filters = fc.constantFrom(...policies.map((policy) => createPrivacyFilter(policy, "1")));

/** A context as a sync under this filter stores it; undefined when it is not captured. */
function stored(
  { url, title, ...given }: typeof captured extends fc.Arbitrary<infer T> ? T : never,
  filter: PrivacyFilter,
): StoredContext | undefined {
  const capture = toCapture({
    ...given,
    tabId: "7",
    capturedAt: "2026-01-31T12:00:00Z",
    tabMetadata: { id: "7", url, title, referrer: url },
  });
  const outcome = filter.context(capture.input);
  if (!outcome.captured) return undefined;
  const plainText = plainTextOf(given.type, outcome, filter).stored;
  const times = { writtenAt: 1, viewedAt: null, lastSeenAt: null };
  return toStored(capture, outcome, {
    userId: "ada",
    contextId: "c",
    extensionId: "e",
    ...times,
    levelReasons: outcome.reasons,
    plainText,
  });
}

const secretsIn = (context: StoredContext): string[] => secrets.filter((secret) => JSON.stringify(context).includes(secret));

function after(context: StoredContext, filter: PrivacyFilter): StoredContext {
  const verdict = refilterContext(context, filter);
  if (verdict.is === "removed") throw new Error("these policies capture every page");
  return verdict.is === "rewritten" ? verdict.context : context;
}

it("never lowers a level, leaves no more than a sync would, and is idempotent", () => {
  fc.assert(
    fc.property(captured, filters, filters, (given, first, second) => {
      const before = stored(given, first)!;
      const again = after(before, second);
      expect(isAtMost(before.privacyLevel, again.privacyLevel)).toBe(true);
      expect(secretsIn(before)).toEqual(expect.arrayContaining(secretsIn(again)));
      const fresh = stored({ ...given, privacyLevel: again.privacyLevel }, second)!;
      expect(secretsIn(fresh)).toEqual(expect.arrayContaining(secretsIn(again)));
      expect(isAtMost(fresh.privacyLevel, again.privacyLevel)).toBe(true);
      for (const [context, filter] of [
        [before, first],
        [again, second],
        [before, createPrivacyFilter({}, "1")],
      ] as const)
        expect(refilterContext(context, filter)).toEqual({ is: "unchanged" });
    }),
    { numRuns: 200 },
  );
});
