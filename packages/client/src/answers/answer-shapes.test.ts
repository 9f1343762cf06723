import {
  BatchResult,
  Context,
  DeletedMany,
  DeletePreview,
  EraseReceipt,
  HistoryPage,
  ImportReport,
  KeyInfo,
  limits,
  LiveTicket,
  SearchPage,
  StoredRetention,
  SyncResult,
} from "@periscope/schemas";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type * as z from "zod/mini";
import { shapeOf } from "../../test/shape-of.js";
import { contextAnswer, batchAnswer, historyAnswer, keyAnswer, searchAnswer, syncAnswer } from "../../test/answers.js";
import { findIssues } from "./find-issues.js";
import type { Shape } from "./shape.js";
import * as shapes from "./answer-shapes.js";

const answers = {
  KeyInfo,
  Context,
  HistoryPage,
  SearchPage,
  SyncResult,
  BatchResult,
  LiveTicket,
  ImportReport,
  StoredRetention,
  DeletePreview,
  DeletedMany,
  EraseReceipt,
};

/** `pnpm --filter @periscope/client exec vitest run src/answers --update` writes the file; without, the test fails when it differs from the schemas. */
test("answer-shapes.ts is what the schemas say", async () => {
  const lines = Object.entries(answers).map(([name, schema]) => {
    return `/** {@link schemas.${name}} */\nexport const ${name[0]?.toLowerCase()}${name.slice(1)}Shape: Shape = ${JSON.stringify(shapeOf(schema))};\n`;
  });
  const head = [
    "// Made from @periscope/schemas by answer-shapes.test.ts; do not edit.",
    'import type * as schemas from "@periscope/schemas";',
    'import type { Shape } from "./shape.js";',
  ];
  const bound = `/** Messages in a batch. */\nexport const batchMessagesMax: typeof schemas.limits.batchMessagesMax = ${limits.batchMessagesMax};\n`;
  await expect([...head, "", bound, ...lines].join("\n").replaceAll("\n/**", "\n\n/**").replaceAll("\n\n\n", "\n\n")).toMatchFileSnapshot(
    "answer-shapes.ts",
  );
});

/** Fields with a choice of words that later versions may add to. */
const openFields: ReadonlySet<unknown> = new Set(["type", "maxPrivacyLevel", "contentFormat", "privacyLevel", "code"]);

const cases: [string, z.ZodMiniType, Shape, object][] = [
  ["KeyInfo", KeyInfo, shapes.keyInfoShape, keyAnswer()],
  ["Context", Context, shapes.contextShape, contextAnswer()],
  ["HistoryPage", HistoryPage, shapes.historyPageShape, historyAnswer()],
  ["SearchPage", SearchPage, shapes.searchPageShape, searchAnswer()],
  ["SyncResult", SyncResult, shapes.syncResultShape, syncAnswer()],
  ["BatchResult", BatchResult, shapes.batchResultShape, batchAnswer()],
  ["LiveTicket", LiveTicket, shapes.liveTicketShape, { ticket: "dXNy.c2Vj", expiresAt: "2026-01-31T12:00:30.000Z" }],
];

describe.each(cases)("%s", (_, schema, shape, answer) => {
  const places = placesOf(answer);
  const anything = fc.oneof(fc.constantFrom("", "x", "page", "success", 0, -1, 0.5, true, null, [], {}, "2026-13-45"), fc.jsonValue());

  it("accepts an answer, also with fields that it does not know", () => {
    expect(findIssues(shape, { ...answer, later: { added: true } })).toEqual([]);
  });

  it("agrees with the schema on any answer, and accepts words of later versions", () => {
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.option(anything, { nil: undefined }), (place, put) => {
        const changed = replaced(answer, place, put);
        const isWord = typeof put === "string" && (openFields.has(place.at(-1)) || (place.length > 1 && place.at(-2) === "scopes"));
        expect(findIssues(shape, changed).length === 0).toBe(isWord || schema.safeParse(changed).success);
      }),
      { numRuns: 300 },
    );
  });
});

test("an issue names its place", () => {
  const answer = replaced(searchAnswer(), ["results", 0, "relevance"], 1.5);
  expect(findIssues(shapes.searchPageShape, answer)).toEqual([{ path: "results.0.relevance", message: "must be a number from 0 to 1" }]);
  expect(findIssues(shapes.searchPageShape, "<html>")).toEqual([{ path: "", message: "must be an object" }]);
});

test("an issue says in words what must be there", () => {
  const wordsOf = (shape: Shape) => findIssues(shape, undefined).map(({ message }) => message);
  expect(wordsOf(["matches", "^[a-z]+$"])).toEqual(["must be a string that matches ^[a-z]+$"]);
  expect(wordsOf(["integer", 0])).toEqual(["must be a whole number from 0"]);
  expect(wordsOf(["list", "string"])).toEqual(["must be a list"]);
  expect(wordsOf(["one", "success", "error"])).toEqual(["must be success or error"]);
  expect(wordsOf(["either", "time", ["one", null]])).toEqual(["must be a time or null"]);
});

test("names ten issues of very many", () => {
  const results = Array.from({ length: 1_000 }, () => ({}));
  expect(findIssues(shapes.searchPageShape, { ...searchAnswer(), results })).toHaveLength(10);
});

type Place = readonly (string | number)[];

function placesOf(value: unknown, at: Place = []): Place[] {
  if (typeof value !== "object" || value === null) return [at];
  const inner = Object.entries(value).flatMap(([name, item]) => placesOf(item, [...at, Array.isArray(value) ? Number(name) : name]));
  return [at, ...inner];
}

function replaced(value: unknown, place: Place, put: unknown): unknown {
  const [name, ...rest] = place;
  if (name === undefined) return put;
  if (Array.isArray(value)) return value.map((item, index) => (index === name ? replaced(item, rest, put) : item));
  return { ...(value as object), [name]: replaced((value as Record<string, unknown>)[name], rest, put) };
}
