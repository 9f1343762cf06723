import * as fc from "fast-check";
import { placesIn, withPlace } from "./json-places.js";
import { createMessage, deleteMessage, updateMessage } from "./messages.js";
import { inputFields, routes } from "./sample-requests.js";

/** Any UTF-16 units: lone surrogates, NUL and private characters too. */
const anyUnits = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });

/** Text at the edges of what the contract's fields take. */
const edgeTexts = [
  ["", " ", "5", "true", "null", "\0", "\ud800", "a\udfffb", "__proto__", "constructor", "current", "batch-sync", "..", "x".repeat(129)],
  ["context", "heartbeat", "create", "update", "delete", "batch", "config", "error", "page", "form", "html", "public", "restricted"],
  ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-01-31T12:34Z", "2026-02-30T00:00:00Z"],
  ["2026-01-31T12:34:56.123456789123456789Z", "2026-01-31T12:34:56+23:59", "2026-01-31", "1769862896", "+275760-09-13T00:00:00Z"],
  ["https://a.example/?q=%", "https://user:pass@a.example:8443/x#token=1", "file:///etc/hosts", "about:blank", "javascript:alert(1)"],
  ["http://[", "<p>unclosed", "<!--", "[{", '[{"name":"a","type":"password","filled":true,"value":"b"}]', "# heading\n```", "a@b.example"],
].flat();

const edgeNumbers = [0, -0, -1, 0.5, 1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 63];
const edgeStructures: unknown[] = [null, true, false, [], {}, [[]], { "": "" }, JSON.parse('{"__proto__": {"id": 1}}')];

/** Values at the edges of what the contract's fields take. */
export const edgeValues: readonly unknown[] = [...edgeTexts, ...edgeNumbers, ...edgeStructures];

const edgeText = fc.constantFrom(...edgeTexts);
const edgeNumber = fc.constantFrom(...edgeNumbers);

/** Any JSON, and values that are nearly what a field takes. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue() },
  { weight: 3, arbitrary: fc.constantFrom(...edgeValues) },
  anyUnits,
  fc.dictionary(fc.oneof(edgeText, anyUnits), fc.oneof(edgeText, edgeNumber, fc.boolean(), fc.jsonValue()), { maxKeys: 5 }),
);

/** One valid message of each type under ids of this prefix, over two contexts so that they meet. */
export function validMessages(prefix: string, [a, b]: readonly [string, string] = ["a", "b"]): Array<Record<string, unknown>> {
  const marked = { id: a, metadata: { words: 12, done: true }, privacyLevel: "public", contentFormat: "html", content: "<p>words</p>" };
  const form = { id: b, type: "form", content: '[{"name":"q","type":"text","filled":true,"value":"w"}]' };
  const messages = [
    createMessage({ context: marked }),
    createMessage({ context: form }),
    updateMessage(a, { title: "Later", content: "other words", tabMetadata: { pinned: true } }),
    deleteMessage(b),
    { type: "heartbeat", timestamp: "2026-01-31T12:00:04Z", payload: { type: "heartbeat", contextId: a, tabId: "7" } },
    { type: "config", timestamp: "2026-01-31T12:00:05Z", payload: { type: "config", config: { every: { seconds: 5 }, on: [true] } } },
    {
      type: "error",
      timestamp: "2026-01-31T12:00:06Z",
      payload: { type: "error", code: "E1", message: "lost", details: { tries: [1, 2] } },
    },
  ];
  return messages.map((message, index) => ({ ...message, id: `${prefix}-${index}` }));
}

/** Valid bodies of the POST routes, single messages and batches. */
export function validBodies(prefix: string): Array<Record<string, unknown>> {
  const messages = validMessages(prefix);
  return [
    ...messages,
    { id: "beside", type: "batch", messages },
    { id: "inside", type: "batch", extensionId: "phone", payload: { messages: messages.slice(0, 2) } },
  ];
}

/** A valid body under message ids of its own, with up to three places replaced by any JSON. */
export const nearlyValidBody: fc.Arbitrary<unknown> = fc
  .tuple(fc.uuid(), fc.nat(), fc.array(fc.tuple(fc.nat(), anyJson), { maxLength: 3 }))
  .map(([prefix, choice, changes]) => {
    const bodies = validBodies(prefix);
    return changes.reduce<unknown>(
      (changed, [index, replacement]) => {
        const places = placesIn(changed);
        return withPlace(changed, places[index % places.length] ?? [], replacement);
      },
      bodies[choice % bodies.length],
    );
  });

/** Values of parameters, as they stand in a URL: broken encodings, numbers at their bounds, enums, and operators of the search. */
const urlEdges = [
  "% %zz %00 %ff %ED%A0%80 %F0%9F%98 %u0041 + a+b %2F..%2F %2e ; '-- %22%22 a*b * %25 a b",
  "0 1 -1 200 201 1000 1001 1e3 0x10 1.0 9007199254740993 99999999999999999999 00000000000000005 NaN",
  "page private OR - %22 a%20OR NEAR(a%20b) a%20AND%20NOT title:x ^a ((( %22a%22* -a%20-b the%20of words -words",
].flatMap((line) => line.split(" "));

/** Text as it may stand in a path segment or a query value. */
const urlText = fc.oneof(
  fc.string({ unit: "binary" }).map(encodeURIComponent),
  fc.constantFrom(...edgeTexts.filter((text) => text.isWellFormed()).map(encodeURIComponent)),
  { weight: 3, arbitrary: fc.constantFrom(...urlEdges) },
  fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString("base64url")),
  fc.tuple(fc.integer(), fc.string()).map((position) => Buffer.from(JSON.stringify(position)).toString("base64url")),
);

/** Names of query parameters that some operation knows. */
const parameterNames = [...new Set(routes.filter(({ hasBody }) => !hasBody).flatMap(inputFields))];

const parameterName = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...parameterNames) },
  fc.constantFrom("", "__proto__", "constructor", "toString", "Limit", "limit[]", "limit%00", "%zz", "contextId"),
);

/** A query string, sound or not: repeated keys, broken encodings, huge numbers. */
export const anyQuery: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: fc.tuple(parameterName, urlText).map(([name, value]) => `${name}=${value}`) },
      fc.constantFrom("", "=", "&", "limit", "=5"),
    ),
    { maxLength: 5 },
  )
  .map((pairs) => pairs.join("&"));

/** A path segment where an id stands. */
export const anySegment: fc.Arbitrary<string> = fc.oneof(urlText, fc.constantFrom("x".repeat(4000))).filter((text) => text !== "");
