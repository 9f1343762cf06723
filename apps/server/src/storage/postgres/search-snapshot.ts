import type { StoredContext } from "../../contexts/context.store.js";
import { bitsOf } from "../../search/analysis/pair-filter.js";
import type { Samples, KnownSamples } from "../../search/known-samples.js";
import { excerptTextOf } from "../../search/plain-text.js";
import { setImmediate as nextTurn } from "node:timers/promises";
import type {
  Candidate,
  Found,
  FoundRow,
  PairTest,
  Row,
  RowFilter,
  SearchSnapshot,
  TermMatch,
  TestedWalk,
  Walk,
} from "../../search/search-engine.js";
import { type Statement } from "./pool.js";
import { ownerPrefix, queryText } from "./search-lexemes.js";
import * as statements from "./search-statements.js";
import { candidatesOf } from "./search-vectors.js";
import { type RowRange, type Step, stepsOf, stepsToAny } from "./search-walk.js";

/** Runs a statement within the search's transaction. */
export type Ask = <Row extends object>(statement: Statement, values: readonly unknown[]) => Promise<Row[]>;

type RawPage = Omit<FoundRow, "text" | "vector"> & Pick<StoredContext, "contentFormat" | "plainText" | "content"> & { vector: string };

/** Rows of a page that are asked for at once, with texts of so many bytes, and the one that passes it. */
const pageRowsMax = 250;
const pageBytesMax = 4 * 1024 * 1024;

/**
 * A user's contexts in the transaction that is open; undefined when there are none. `checkTime` is called in the midst of work that asks
 * nothing, and throws when the search has no time left.
 */
export async function openSnapshot(
  ask: Ask,
  userId: string,
  known: KnownSamples,
  checkTime: () => void = () => {},
): Promise<SearchSnapshot | undefined> {
  const [range] = await ask<{ oldest: number | null; newest: number | null }>(statements.readRange, [userId]);
  if (!range || range.oldest === null || range.newest === null) return undefined;
  const found = snapshot(ask, userId, { oldest: range.oldest, newest: range.newest }, known.of(userId, range.newest));
  return {
    ...found,
    async breathe() {
      await nextTurn();
      checkTime();
    },
  };
}

/** Newest contexts by which a large collection is measured: what lies behind is taken to be as dense. */
const measuredRows = 5_000;

interface Measure {
  counted: number;
  low: Row | null;
}

function snapshot(ask: Ask, userId: string, range: RowRange, samples: Samples): SearchSnapshot {
  const prefix = ownerPrefix(userId);
  const walkValues = (walk: Walk, steps: readonly Step[] = stepsOf(prefix, range, walk)): unknown[] => {
    const values: unknown[] = [steps.map(({ query }) => query), steps.map(({ low }) => low), steps.map(({ high }) => high)];
    return walk.filter ? [...values, ...filterValues(walk.filter)] : values;
  };
  const found = async (match: TermMatch, limit: number, max: number, walk: TestedWalk = {}): Promise<Found> => {
    const { test } = walk;
    const statement = test
      ? statements.foundByPairs({ lists: test.length, pairs: test[0]?.length ?? 0 }, walk.filter !== undefined)
      : walk.filter
        ? statements.foundFiltered
        : statements.foundRows;
    const values = [userId, queryText(prefix, match), max, ...walkValues(walk), limit, ...(test ? testValues(test) : [])];
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
    samples,
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
      const steps = max === 1 ? stepsToAny(prefix, range, walk) : undefined;
      return (await ask<{ count: number }>(statement, [userId, queries, max, ...walkValues(walk, steps)])).map(({ count }) => count);
    },
    found,
    newest: async (match, limit, walk) => (await found(match, limit, limit, walk)).rows,
    async candidates(rows, hashes) {
      if (rows.length === 0) return [];
      const { statement, values } = candidatesOf(hashes);
      const read = await ask<Omit<Candidate, "vector"> & { vector: string }>(statement, [userId, rows, ...values]);
      return read.map((candidate) => ({ ...candidate, vector: bytesOf(candidate.vector) }));
    },
    page: (rows) => pageOf(ask, userId, rows),
  };
}

async function* pageOf(ask: Ask, userId: string, rows: readonly Row[]): AsyncGenerator<FoundRow> {
  for (let at = 0; at < rows.length;) {
    const some = rows.slice(at, at + pageRowsMax);
    const read = await ask<RawPage>(statements.readPage, [userId, some, pageBytesMax]);
    const last = read.at(-1);
    for (let next = read.shift(); next; next = read.shift()) {
      const { contentFormat, plainText, content, vector, ...row } = next;
      yield { ...row, text: plainText ?? excerptTextOf(contentFormat, content), vector: bytesOf(vector) };
    }
    // None of them is there, or the texts of those after the last one are still to come.
    at += last ? some.indexOf(last.row) + 1 : some.length;
  }
}

const bytesOf = (base64: string): Uint8Array => Buffer.from(base64, "base64");

function testValues(test: PairTest): unknown[] {
  const bits = test.flat().flatMap(bitsOf);
  return [bits.map(({ byte }) => byte), bits.map(({ bit }) => 1 << bit)];
}

function filterValues({ since = -Infinity, until = Infinity, urlPattern }: RowFilter): unknown[] {
  return [since, until, urlPattern === undefined ? "%" : likeOf(urlPattern)];
}

/** A substring, or a wildcard over the whole URL when it has a star; of the URL in small letters. */
function likeOf(pattern: string): string {
  const escaped = pattern.toLowerCase().replace(/[\\%_]/g, "\\$&");
  return escaped.includes("*") ? escaped.replaceAll("*", "%") : `%${escaped}%`;
}
