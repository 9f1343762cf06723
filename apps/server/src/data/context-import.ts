import { type ExportedContext, limits } from "@periscope/schemas";
import { filterAtLeast } from "../contexts/apply.js";
import { changeUserData, noChanges } from "../contexts/change-user-data.js";
import { type Capture, toCapture, levelReasons, toStored } from "../contexts/capture.js";
import type { ReplacedContext, UserChanges, UserDataStore, UserState, WrittenContext } from "../contexts/context.store.js";
import type { FilteredCapture } from "../contexts/filter-task.js";
import { type BoundedFilter, createBoundedFilter, type FilterWorkers } from "../contexts/prepare.js";
import type { Clock } from "../deps.js";
import { DomainError } from "../domain-error.js";
import { latest, toMillis } from "../formats.js";
import { derived } from "../privacy/privacy-filter.js";
import { isSameRules } from "../privacy/rules.store.js";
import type { UserFilter, UserFilters } from "../privacy/user-filters.js";
import type { Line } from "./export-lines.js";

export interface ContextImportOptions {
  userId: string;
  store: UserDataStore;
  filters: UserFilters;
  pool: FilterWorkers;
  clock: Clock;
  /** Called before each commit, which does not happen when it throws. */
  checkAllowed?: (() => Promise<void>) | undefined;
  onOutcome: (item: ImportItem, outcome: ImportOutcome, reasons?: readonly string[]) => void;
}

export type ImportOutcome = "created" | "updated" | "unchanged" | "newer" | "deleted" | "rejected";

export interface ImportItem {
  number: number;
  context: ExportedContext;
}

/** Contexts and UTF-16 units of text that are written in one transaction; a longer text is alone. */
const sliceContexts = 100;
const sliceUnits = limits.contentBytesMax / 2;

interface Prepared {
  bounded: BoundedFilter;
  userFilter: UserFilter;
  filtered: Array<{ item: ImportItem; capture: Capture; filtered: FilteredCapture }>;
}

/**
 * Imports contexts of one user in slices, in their order, through the present privacy filter. Of two states of a context the newer one
 * wins, and what was deleted later stays deleted. While a slice is written, the next one is filtered.
 */
export class ContextImport {
  #slice: ImportItem[] = [];
  #units = 0;
  readonly #ids = new Set<string>();
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly options: ContextImportOptions) {}

  /** Adds a context. Rejects when an earlier slice could not be written. */
  async add(item: ImportItem): Promise<void> {
    const { contextId, content } = item.context;
    const isFull = this.#slice.length === sliceContexts || this.#units + content.length > sliceUnits || this.#ids.has(contextId);
    if (this.#slice.length > 0 && isFull) await this.#start();
    this.#slice.push(item);
    this.#units += content.length;
    this.#ids.add(contextId);
  }

  /** Resolves when everything that was added is written. */
  async flush(): Promise<void> {
    await this.#start();
    await this.#writing;
  }

  /** Remembers deletes, each unless the context was written later. */
  async storeTombstones(tombstones: ReadonlyArray<Line<"tombstone">>): Promise<void> {
    await this.flush();
    await this.#commit(
      tombstones.map(({ contextId }) => contextId),
      async (state) => {
        const written = new Map(state.contexts.map(({ contextId, writtenAt }) => [contextId, writtenAt]));
        const removed = tombstones
          .filter(({ contextId, deletedAt }) => deletedAt > (written.get(contextId) ?? -Infinity))
          .filter(({ contextId, deletedAt }) => deletedAt > (state.tombstones.get(contextId) ?? -Infinity));
        return { removed };
      },
    );
  }

  /** Takes over settings of an extension instance, filtered; newer ones stay. */
  async configure({ extensionId, lastSeenAt, config, configAt }: Line<"extension">): Promise<void> {
    const { bounded } = await this.#filter();
    const [filtered] = config === undefined ? [] : await bounded.run([{ kind: "config", config }]);
    const json = filtered && derived(filtered, (settings) => JSON.stringify(settings));
    const at = toMillis(configAt ?? lastSeenAt);
    const extension = { extensionId, lastSeenAt: toMillis(lastSeenAt), ...(json !== undefined && { config: { json, at } }) };
    await this.#commit([], async () => ({ extensions: [extension] }));
  }

  async #start(): Promise<void> {
    const slice = this.#slice;
    if (slice.length === 0) return;
    [this.#slice, this.#units] = [[], 0];
    this.#ids.clear();
    const prepared = this.#prepare(slice);
    // Awaited below, once the slice before is written; until then a failure must have a listener.
    prepared.catch(() => {});
    await this.#writing;
    this.#writing = this.#write(slice, prepared);
    this.#writing.catch(() => {});
  }

  async #filter() {
    const { userId, filters, pool } = this.options;
    const userFilter = await filters.of(userId);
    return { userFilter, bounded: createBoundedFilter({ filter: userFilter.filter, userId, pool }) };
  }

  async #prepare(slice: readonly ImportItem[]): Promise<Prepared> {
    const { userFilter, bounded } = await this.#filter();
    const captures = slice.map(({ context }) => toCapture({ ...context, capturedAt: context.timestamp }));
    const filtered = await bounded.run(captures.map((capture) => ({ kind: "capture", capture }) as const));
    const joined = slice.flatMap((item, index) => {
      const [capture, each] = [captures[index], filtered[index]];
      return capture && each ? [{ item, capture, filtered: each }] : [];
    });
    return { userFilter, bounded, filtered: joined };
  }

  async #write(slice: readonly ImportItem[], preparing: Promise<Prepared>): Promise<void> {
    let prepared = await preparing;
    let outcomes: Array<Parameters<ContextImportOptions["onOutcome"]>> = [];
    await this.#commit(
      slice.map(({ context }) => context.contextId),
      async (state) => {
        // The user has other rules by now.
        if (!isSameRules(state.rulesVersion, prepared.userFilter.rulesVersion)) prepared = await this.#prepare(slice);
        const changes = { created: [] as WrittenContext[], replaced: [] as ReplacedContext[], revived: [] as string[] };
        outcomes = [];
        for (const each of prepared.filtered) outcomes.push([each.item, ...(await this.#place(each, state, prepared, changes))]);
        return isSameRules(state.rulesVersion, prepared.userFilter.rulesVersion) ? changes : undefined;
      },
    );
    for (const outcome of outcomes) this.options.onOutcome(...outcome);
  }

  /** Works out what one context changes. */
  async #place(
    { item, capture, filtered }: Prepared["filtered"][number],
    state: UserState,
    { bounded }: Prepared,
    changes: { created: WrittenContext[]; replaced: ReplacedContext[]; revived: string[] },
  ): Promise<[ImportOutcome, reasons?: readonly string[]]> {
    const { contextId, extensionId, viewedAt, lastSeenAt, privacyLevel, levelReasons: given = [] } = item.context;
    const writtenAt = toMillis(item.context.writtenAt);
    const stored = state.contexts.find((context) => context.contextId === contextId);
    const tombstone = state.tombstones.get(contextId);
    if (stored && stored.writtenAt >= writtenAt) return [stored.writtenAt === writtenAt ? "unchanged" : "newer"];
    if (!stored && tombstone !== undefined && writtenAt < tombstone) return ["deleted"];
    // A stored level is never lowered.
    const { outcome, searched } = await filterAtLeast({ item: { capture }, filtered }, stored?.privacyLevel ?? "public", bounded);
    if (!outcome.captured || !searched?.search) return ["rejected", outcome.reasons];
    const times = {
      viewedAt: latest(stored?.viewedAt ?? null, timeOf(viewedAt)),
      lastSeenAt: latest(stored?.lastSeenAt ?? null, timeOf(lastSeenAt)),
    };
    const ids = { userId: this.options.userId, contextId, extensionId, writtenAt };
    const context = toStored(capture, outcome, {
      ...ids,
      ...times,
      levelReasons: levelReasons([...(stored ? [stored] : []), { privacyLevel, levelReasons: given }], outcome),
      plainText: searched.plainText,
    });
    if (stored) changes.replaced.push({ ...context, search: searched.search });
    else changes.created.push({ ...context, search: searched.search });
    if (!stored && tombstone !== undefined) changes.revived.push(contextId);
    return [stored ? "updated" : "created"];
  }

  /** Works changes out and commits them; again when the user's data has changed meanwhile, or there are none to be made yet. */
  async #commit(contextIds: readonly string[], work: (state: UserState) => Promise<Partial<UserChanges> | undefined>): Promise<void> {
    const { store, userId, clock, filters, checkAllowed } = this.options;
    await checkAllowed?.();
    await changeUserData(store, userId, { messages: [], contextIds }, async (state) => {
      if (!state) throw new DomainError("unauthorized", "The user of this import has been deleted; use the key of another.");
      const changes = await work(state);
      if (!changes) return undefined;
      const { filter } = await filters.of(userId);
      const all = { ...noChanges, ...changes, now: clock(), policy: filter.policyId };
      return { result: undefined, ...(!isEmpty(all) && { changes: all }) };
    });
  }
}

const isEmpty = ({ created, replaced, removed, extensions }: Omit<UserChanges, "revision">): boolean =>
  created.length + replaced.length + removed.length + extensions.length === 0;

const timeOf = (time: string | undefined): number | null => (time === undefined ? null : toMillis(time));
