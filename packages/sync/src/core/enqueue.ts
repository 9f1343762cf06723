import { newMessageId } from "@periscope/delivery";
import { evict } from "./evict.js";
import { passFilter } from "./message-filter.js";
import { bytesOf, type Kind, kindOf, kindOfMessage, mergeKeyOf, type NewMessage, rankOf } from "./message.js";
import type { Settings } from "./options.js";
import type { Enqueued, SyncEvent } from "./outcomes.js";
import { type DropReason, readState, tally, type Tallies } from "./partition-state.js";
import { type Head, readHead } from "./rows.js";
import { nextTurn, sourceOf } from "./site-turns.js";
import type { StoreTransaction } from "./store.js";

/** How a message is to be kept. */
export interface EnqueueOptions {
  /** Which go first when there is no room. Default: by type of message and context. */
  kind?: Kind;
  /**
   * A message replaces the last one with the same key as long as that was never sent: give navigations the key of tab and document. Default:
   * heartbeats of the same context or tab.
   */
  mergeKey?: string;
  /**
   * Whether a page can cause such messages at will, as it can captures and navigations. Contexts of its site are then limited to a quarter of the
   * queue and to 60 a minute. Past the 60, the newest of each tab and type waits for its turn. Default: no.
   */
  isFromPage?: boolean;
}

const idCharsMax = 128;

/** What is counted but could not be written down yet, by partition. */
export type UnwrittenTallies = Map<string, Tallies>;

/** Stores a message, after the filter. Rejects only for a message that is none. */
export async function enqueue(
  settings: Settings,
  { partition, unwritten }: { partition: string; unwritten: UnwrittenTallies },
  given: NewMessage,
  options: EnqueueOptions,
): Promise<Enqueued> {
  const { clock, emit, hook, limits, store } = settings;
  // The id exists before anything else happens, so that every later repeat is known as one.
  const id = given.id ?? newMessageId(clock.now());
  if (id.length === 0 || id.length > idCharsMax) throw new TypeError(`A message id has 1 to ${idCharsMax} characters.`);
  const timestamp = given.timestamp ?? new Date(clock.now()).toISOString();

  const verdict = await passFilter({ ...given, id, timestamp }, settings.filter);
  if (!verdict.keep) {
    emit({ type: "filtered", rule: verdict.rule });
    await note({ blocked: 1 });
    return { status: "blocked", rule: verdict.rule };
  }
  const jsonAs = (id: string) => JSON.stringify({ ...verdict.message, id, timestamp });
  const json = jsonAs(id);
  const kind = options.kind ?? kindOfMessage(given);
  const mergeKey = options.mergeKey ?? mergeKeyOf(given);
  const source = options.isFromPage === true ? sourceOf(verdict.message) : undefined;
  const bytes = bytesOf(json);
  if (bytes > limits.itemBytes) {
    await note({ "too-large": 1 });
    return dropped("too-large", kind);
  }

  await hook("before-enqueue");
  const row = { partition, id, rank: rankOf(kind), sent: 0 as const, bytes, queuedAt: clock.now(), attempts: 0, starts: 0 };
  const events: SyncEvent[] = [];
  let outcome: Enqueued;
  try {
    // What a person did is worth a flush of the disk; what is seen again a second later is not.
    const durability = row.rank >= 3 ? "strict" : "default";
    outcome = await store.write(
      (tx) => keep(tx, { ...row, ...(mergeKey !== undefined && { mergeKey }), ...(source && { site: source.site }) }),
      { durability },
    );
    unwritten.delete(partition);
  } catch (error) {
    emit({ type: "storage", error: wordsOf(error) });
    remember({ "storage-failed": 1 });
    return dropped("storage-failed", kind);
  }
  for (const event of events) emit(event);
  await hook("after-enqueue");
  return outcome;

  async function keep(tx: StoreTransaction, head: Omit<Head, "seq">): Promise<Enqueued> {
    events.length = 0;
    // A call that is repeated because its answer was lost.
    const known = await tx.list("heads", { index: "byId", prefix: [partition, id], limit: 1 });
    if (known.length > 0) return { status: "queued", id };
    const state = await readState(tx, partition);
    tally(state, unwritten.get(partition) ?? {});
    const turn = source && (await nextTurn(tx, source, head.queuedAt));
    const placed = { ...head, ...turn?.held };
    const replaced = placed.mergeKey === undefined ? undefined : await unsent(tx, placed.mergeKey);
    if (replaced !== undefined) {
      // It keeps its place and its id, which nobody else has seen.
      const body = jsonAs(replaced.id);
      const size = bytesOf(body);
      await tx.put("bodies", body, replaced.seq);
      await tx.put("heads", { ...replaced, rank: head.rank, bytes: size, queuedAt: head.queuedAt });
      state.bytes += size - replaced.bytes;
    } else {
      await turn?.take();
      const seq = await tx.add("heads", placed);
      await tx.put("bodies", json, seq);
      state.waiting += 1;
      state.bytes += bytes;
    }
    const kept = replaced?.id ?? id;
    const evicted = await evict(tx, state, { partition, limits, site: source?.site });
    for (const { rank } of evicted) events.push({ type: "dropped", reason: "full", count: 1, kind: kindOf(rank) });
    await tx.put("state", state, partition);
    if (evicted.some((gone) => gone.id === kept)) return { status: "dropped", reason: "full" };
    return { status: replaced === undefined ? "queued" : "merged", id: kept };
  }

  async function unsent(tx: StoreTransaction, key: string): Promise<Head | undefined> {
    const rows = await tx.list("heads", { index: "byMergeKey", prefix: [partition, key] });
    const last = readHead(rows.at(-1));
    return last?.attempts === 0 ? last : undefined;
  }

  function dropped(reason: DropReason, kind: Kind): Enqueued {
    emit({ type: "dropped", reason, count: 1, kind });
    return { status: "dropped", reason };
  }

  async function note(lost: Tallies): Promise<void> {
    remember(lost);
    try {
      await store.write(async (tx) => {
        const state = await readState(tx, partition);
        tally(state, unwritten.get(partition) ?? {});
        await tx.put("state", state, partition);
      });
      unwritten.delete(partition);
    } catch (error) {
      emit({ type: "storage", error: wordsOf(error) });
    }
  }

  function remember(lost: Tallies): void {
    const sum = { ...unwritten.get(partition) };
    for (const [reason, count] of Object.entries(lost) as [keyof Tallies, number][]) sum[reason] = (sum[reason] ?? 0) + count;
    unwritten.set(partition, sum);
  }
}

/** An error in words. Those of a store speak of the store, never of what was to be written. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
