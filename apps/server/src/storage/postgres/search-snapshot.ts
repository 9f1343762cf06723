import type { StoredContext } from "../../contexts/context.store.js";
import type { Averages, KnownAverages } from "../../search/known-averages.js";
import { excerptTextOf } from "../../search/plain-text.js";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Candidate, Found, FoundRow, Row, RowFilter, SearchSnapshot, TermMatch, Walk } from "../../search/search-engine.js";
import { type Statement } from "./pool.js";
import { ownerPrefix, queryText } from "./search-lexemes.js";
import * as statements from "./search-statements.js";
import { type RowRange, stepsOf } from "./search-walk.js";

/** Runs a statement within the search's transaction. */
export type Ask = <Row extends object>(statement: Statement, values: readonly unknown[]) => Promise<Row[]>;

type RawPage = Omit<FoundRow, "text" | "vector"> & Pick<StoredContext, "contentFormat" | "plainText" | "content"> & { vector: string };

/** A user's contexts in the transaction that is open; undefined when there are none. */
export async function openSnapshot(ask: Ask, userId: string, known: KnownAverages): Promise<SearchSnapshot | undefined> {
  const [range] = await ask<{ oldest: number | null; newest: number | null }>(statements.readRange, [userId]);
  if (!range || range.oldest === null || range.newest === null) return undefined;
  return snapshot(ask, userId, { oldest: range.oldest, newest: range.newest }, known.of(userId, range.newest));
}

/** Newest contexts by which a large collection is measured: what lies behind is taken to be as dense. */
const measuredRows = 5_000;

interface Measure {
  counted: number;
  low: Row | null;
}

function snapshot(ask: Ask, userId: string, range: RowRange, averages: Averages): SearchSnapshot {
  const prefix = ownerPrefix(userId);
  const walkValues = (walk: Walk): unknown[] => {
    const steps = stepsOf(prefix, range, walk);
    const values: unknown[] = [steps.map(({ query }) => query), steps.map(({ low }) => low), steps.map(({ high }) => high)];
    return walk.filter ? [...values, ...filterValues(walk.filter)] : values;
  };
  const found = async (match: TermMatch, limit: number, max: number, walk: Walk = {}): Promise<Found> => {
    const statement = walk.filter ? statements.foundFiltered : statements.foundRows;
    const values = [userId, queryText(prefix, match), max, ...walkValues(walk), limit];
    const [answer] = await ask<{ total: number; rows: Row[] | null }>(statement, values);
    return { rows: answer?.rows ?? [], total: answer?.total ?? 0 };
  };
  const measures = new Map<number, Promise<Measure>>();
  const measure = (count: number): Promise<Measure> => {
    const known =
      measures.get(count) ?? ask<Measure>(statements.measure, [userId, count]).then(([read]) => read ?? { counted: 0, low: null });
    measures.set(count, known);
    return known;
  };
  return {
    averages,
    readsTimes: true,
    async captured() {
      const [read] = await ask<{ first: number | null; last: number | null }>(statements.readCaptured, [userId]);
      return !read || read.first === null || read.last === null ? undefined : { first: read.first, last: read.last };
    },
    async size() {
      const { counted, low } = await measure(measuredRows);
      return (counted * (range.newest - range.oldest + 1)) / (range.newest - (low ?? range.oldest) + 1);
    },
    async nthNewest(n) {
      const { counted, low } = await measure(n);
      return counted < n ? undefined : (low ?? undefined);
    },
    async count(matches, max, walk = {}) {
      if (matches.length === 0) return [];
      const statement = walk.filter ? statements.countFiltered : statements.countRows;
      const queries = matches.map((match) => queryText(prefix, match));
      return (await ask<{ count: number }>(statement, [userId, queries, max, ...walkValues(walk)])).map(({ count }) => count);
    },
    found,
    newest: async (match, limit, walk) => (await found(match, limit, limit, walk)).rows,
    async candidates(rows) {
      if (rows.length === 0) return [];
      const read = await ask<Omit<Candidate, "vector"> & { vector: string }>(statements.readCandidates, [userId, rows]);
      return read.map((candidate) => ({ ...candidate, vector: bytesOf(candidate.vector) }));
    },
    async page(rows) {
      if (rows.length === 0) return [];
      const read = await ask<RawPage>(statements.readPage, [userId, rows]);
      return read.map(({ contentFormat, plainText, content, vector, ...row }) => ({
        ...row,
        text: plainText ?? excerptTextOf(contentFormat, content),
        vector: bytesOf(vector),
      }));
    },
    breathe: () => nextTurn(),
  };
}

const bytesOf = (base64: string): Uint8Array => Buffer.from(base64, "base64");

function filterValues({ since = -Infinity, until = Infinity, urlPattern }: RowFilter): unknown[] {
  return [since, until, urlPattern === undefined ? "%" : likeOf(urlPattern)];
}

/** A substring, or a wildcard over the whole URL when it has a star; of the URL in small letters. */
function likeOf(pattern: string): string {
  const escaped = pattern.toLowerCase().replace(/[\\%_]/g, "\\$&");
  return escaped.includes("*") ? escaped.replaceAll("*", "%") : `%${escaped}%`;
}
