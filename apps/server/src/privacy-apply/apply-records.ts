import { canonicalJson } from "../canonical-json.js";
import { keptFingerprint } from "../contexts/fingerprint.js";
import { filterReport } from "../contexts/message-preparation.js";
import { type ApplyCounts, noCounts } from "./apply-counts.js";
import type { ApplyRun } from "./apply-run.js";
import { derived } from "../privacy/privacy-filter.js";
import type { ApplyRows, ApplyTransaction } from "./apply.store.js";

/** Settings and errors are up to 16 KiB each, and filtered inside the transaction. */
const filteredMax = 20;
const fingerprintsMax = 500;

/** Filters the settings of extension instances again. False when another run has moved the progress meanwhile. */
export function applyToConfigs(run: ApplyRun): Promise<boolean> {
  return applyToPages(run, {
    first: "",
    limit: filteredMax,
    read: (rows, after, limit) => rows.configs(after, limit),
    keyOf: ({ extensionId }) => extensionId,
    after: ({ extensionId, config }) => {
      const before = JSON.parse(config) as Record<string, unknown>;
      const filtered = run.filter.record(before);
      return isSame(before, filtered) ? undefined : { extensionId, config: derived(filtered, (settings) => JSON.stringify(settings)) };
    },
    write: (writes, row) => writes.replaceConfig(row),
    counted: (configs) => ({ ...noCounts(), configs }),
  });
}

/** Filters the errors of extensions again; otherwise as {@link applyToConfigs}. */
export function applyToErrors(run: ApplyRun): Promise<boolean> {
  return applyToPages(run, {
    first: 0,
    limit: filteredMax,
    read: (rows, after, limit) => rows.errors(after, limit),
    keyOf: ({ seq }) => seq,
    after: ({ seq, ...before }) => {
      const details: unknown = before.details === null ? undefined : JSON.parse(before.details);
      const filtered = filterReport({ ...before, details }, run.filter);
      const isUnchanged =
        filtered.code === before.code &&
        filtered.message === before.message &&
        isSame(details, filtered.details === null ? undefined : JSON.parse(filtered.details));
      return isUnchanged ? undefined : { seq, ...filtered };
    },
    write: (writes, row) => writes.replaceError(row),
    counted: (errors) => ({ ...noCounts(), errors }),
  });
}

/**
 * Takes from the records of replays the hashes of text that was filtered under another policy: what is removed now is not kept as a
 * hash either. Otherwise as {@link applyToConfigs}.
 */
export function applyToReplayRecords(run: ApplyRun): Promise<boolean> {
  return applyToPages(run, {
    first: { extensionId: "", messageId: "" },
    limit: fingerprintsMax,
    read: (rows, after, limit) => rows.fingerprints(after, limit),
    keyOf: ({ extensionId, messageId }) => ({ extensionId, messageId }),
    after: ({ fingerprint, ...key }) => {
      const kept = keptFingerprint(fingerprint, run.filter.policy);
      return kept === fingerprint ? undefined : { ...key, fingerprint: kept };
    },
    write: (writes, row) => writes.replaceFingerprint(row),
    counted: (replayRecords) => ({ ...noCounts(), replayRecords }),
  });
}

interface Pages<Row, Key> {
  /** A key before all others. */
  first: Key;
  /** Rows of a page. */
  limit: number;
  read(rows: ApplyRows, after: Key, limit: number): Promise<Row[]>;
  keyOf(row: Row): Key;
  /** The row as it is to be; undefined when it may stay. */
  after(row: Row): Row | undefined;
  write(writes: ApplyTransaction, row: Row): Promise<void>;
  counted(changed: number): ApplyCounts;
}

async function applyToPages<Row, Key>(run: ApplyRun, pages: Pages<Row, Key>): Promise<boolean> {
  const { first, limit, read, keyOf, after, write, counted } = pages;
  for (let key: Key | undefined = first; key !== undefined;) {
    const from = key;
    let page: Row[] = [];
    const isDone = await run.step(run.progress.seq, async (rows, writes) => {
      page = await read(rows, from, limit);
      const changed = page.map(after).filter((row) => row !== undefined);
      if (writes) for (const row of changed) await write(writes, row);
      return counted(changed.length);
    });
    if (!isDone) return false;
    const last = page.at(-1);
    key = page.length < limit || last === undefined ? undefined : keyOf(last);
  }
  return true;
}

const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);
