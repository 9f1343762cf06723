import { newMessageId } from "@periscope/delivery";
import { evict } from "./removal.js";
import { bytesOf, contextIdOf, kindOf, kindOfMessage, mergeKeyOf, type NewMessage, passFilter, rankOf } from "./message.js";
import type { Settings } from "./options.js";
import type { DropReason, Enqueued, DropCounts } from "./outcomes.js";
import { isTooLarge } from "../protocol.js";
import { addTallies, changeState, type Head, type Named, namesOf, tally } from "./rows.js";
import { nextTurn, sourceOf } from "./site-turns.js";
import type { StoreTransaction } from "./store.js";

/** How a message is to be kept. */
export interface EnqueueOptions {
  /** A message replaces the last one with the same key as long as that was never sent. Default: heartbeats of the same context or tab. */
  mergeKey?: string;
  /**
   * Whether a page can cause such messages at will, as it can captures and navigations. Contexts of its site are then limited to a quarter of the
   * queue and to 60 a minute. Past the 60, the newest of each tab and type waits for its turn. Contexts that are larger than the contract allows are dropped
   * before the filter. Default: no.
   */
  isFromPage?: boolean;
}

const idCharsMax = 128;

/** What is counted but could not be written down yet, by account. */
export type UnwrittenTallies = Map<string, DropCounts>;

/** Stores a message, after the filter. Rejects only for a message that is none. */
export async function enqueue(
  settings: Settings,
  { account, unwritten }: { account: string; unwritten: UnwrittenTallies },
  given: NewMessage,
  options: EnqueueOptions,
): Promise<Enqueued> {
  const { clock, emit, hook, limits, log, store } = settings;
  // The id exists first, so that every repeat is recognised.
  const id = given.id ?? newMessageId(clock.now());
  if (id.length === 0 || id.length > idCharsMax) throw new TypeError(`A message id has 1 to ${idCharsMax} characters.`);
  const timestamp = given.timestamp ?? new Date(clock.now()).toISOString();

  // Before the filter: no page may keep it busy with text of any size.
  if (options.isFromPage === true && given.type === "create" && isTooLarge(given.payload.context)) return await tooLarge();
  const verdict = await passFilter({ ...given, id, timestamp }, settings.filter);
  if (!verdict.keep) {
    emit({ type: "filtered", rule: verdict.rule });
    await count({ blocked: 1 });
    return { status: "blocked", rule: verdict.rule };
  }
  const jsonAs = (id: string) => JSON.stringify({ ...verdict.message, id, timestamp });
  const json = jsonAs(id);
  const bytes = bytesOf(json);
  if (bytes > limits.itemBytes) return await tooLarge();
  const kind = kindOfMessage(given);

  await hook("before-enqueue");
  const source = options.isFromPage === true ? sourceOf(verdict.message) : undefined;
  const mergeKey = options.mergeKey ?? mergeKeyOf(given);
  const contextId = contextIdOf(given);
  const head: Omit<Head, "seq"> = {
    account,
    id,
    rank: rankOf(kind),
    bytes,
    queuedAt: clock.now(),
    attempts: 0,
    starts: 0,
    ...(mergeKey !== undefined && { mergeKey }),
    ...(source && { site: source.site }),
    ...(contextId !== undefined && { contextId }),
  };
  let kept: { outcome: Enqueued; evicted: readonly Head[] };
  try {
    // What a person did is flushed to disk at once.
    kept = await store.write(keep, { durability: head.rank >= rankOf("action") ? "strict" : "default" });
    unwritten.delete(account);
  } catch (error) {
    emit({ type: "storage", error: storeError(error) });
    remember({ "storage-failed": 1 });
    return dropped("storage-failed");
  }
  for (const gone of kept.evicted) tellLost(gone, "full");
  log.step(`${kept.outcome.status} ${given.type} ${id} (${kind}, ${bytes} bytes)`);
  await hook("after-enqueue");
  return kept.outcome;

  async function keep(tx: StoreTransaction): Promise<typeof kept> {
    // A call that is repeated because its answer was lost.
    const known = await tx.list("heads", { index: "byId", prefix: [account, id], limit: 1 });
    if (known.length > 0) return { outcome: { status: "queued", id }, evicted: [] };
    return await changeState(tx, account, async (state) => {
      tally(state, unwritten.get(account) ?? {});
      const turn = source && (await nextTurn(tx, source, head.queuedAt));
      const placed = { ...head, ...turn?.held };
      const replaced = placed.mergeKey === undefined ? undefined : await unsent(tx, placed.mergeKey);
      if (replaced !== undefined) {
        // It keeps its place and id, which were never sent.
        const body = jsonAs(replaced.id);
        const size = bytesOf(body);
        await tx.put("bodies", body, replaced.seq);
        const { rank, queuedAt, contextId } = head;
        await tx.put("heads", { ...replaced, rank, bytes: size, queuedAt, ...(contextId !== undefined && { contextId }) });
        state.bytes += size - replaced.bytes;
      } else {
        await turn?.take();
        await tx.put("bodies", json, await tx.add("heads", placed));
        state.waiting += 1;
        state.bytes += bytes;
      }
      const evicted = await evict(tx, state, { account, limits, site: source?.site });
      const own = replaced?.id ?? id;
      if (evicted.some((gone) => gone.id === own)) return { outcome: { status: "dropped", reason: "full" }, evicted };
      return { outcome: { status: replaced === undefined ? "queued" : "merged", id: own }, evicted };
    });
  }

  async function unsent(tx: StoreTransaction, key: string): Promise<Head | undefined> {
    const rows = (await tx.list("heads", { index: "byMergeKey", prefix: [account, key] })) as Head[];
    const last = rows.at(-1);
    if (last?.attempts !== 0) return undefined;
    // What was said of the context since then must not come after this: the server would take it for older.
    const later = (await tx.list("heads", { index: "bySeq", prefix: [account], after: [account, last.seq] })) as Head[];
    return later.some(({ contextId }) => contextId === last.contextId && contextId !== undefined) ? undefined : last;
  }

  async function tooLarge(): Promise<Enqueued> {
    await count({ "too-large": 1 });
    return dropped("too-large");
  }

  function dropped(reason: DropReason): Enqueued {
    tellLost({ id, rank: rankOf(kindOfMessage(given)), contextId: contextIdOf(given), mergeKey: options.mergeKey }, reason);
    return { status: "dropped", reason };
  }

  function tellLost(message: Named, reason: DropReason): void {
    emit({ type: "dropped", reason, count: 1, kind: kindOf(message.rank) });
    settings.onSettled({ ...namesOf(message), status: "dropped", reason });
  }

  async function count(lost: DropCounts): Promise<void> {
    remember(lost);
    try {
      await store.write((tx) => changeState(tx, account, (state) => tally(state, unwritten.get(account) ?? {})));
      unwritten.delete(account);
    } catch (error) {
      emit({ type: "storage", error: storeError(error) });
    }
  }

  function remember(lost: DropCounts): void {
    const sum = { ...unwritten.get(account) };
    addTallies(sum, lost);
    unwritten.set(account, sum);
  }
}

export function storeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
