import { newMessageId } from "@periscope/delivery";
import { isTooLarge } from "../protocol.js";
import { add, changeAccount, drop, evict, type Ledger, remember, reportDropped } from "./ledger.js";
import { bytesOf, contextIdOf, kindOfMessage, mergeKeyOf, messageTypes, type NewMessage, passFilter, rankOf } from "./message.js";
import type { Settings } from "./options.js";
import type { DropReason, Enqueued } from "./outcomes.js";
import type { Head } from "./rows.js";
import { nextTurn, sourceOf } from "./site-turns.js";

/** How a message is to be kept. */
export interface EnqueueOptions {
  /** A message replaces the last one with the same key as long as that was never sent. Default: heartbeats of the same context or tab. */
  mergeKey?: string;
  /**
   * Whether a page can cause such messages at will, as it can captures and navigations. Contexts of its site are then limited to a quarter of the
   * queue and to 60 a minute. Past the 60, the newest of each tab and type waits for its turn, and one before it
   * is dropped with the reason `full`. Contexts that are larger than the contract allows are dropped
   * before the filter. Default: no.
   */
  isFromPage?: boolean;
}

const idCharsMax = 128;

/** Stores a message, after the filter. Rejects only for a message that is none. */
export async function enqueue(settings: Settings, account: string, given: NewMessage, options: EnqueueOptions): Promise<Enqueued> {
  const { clock, emit, hook, limits, log } = settings;
  if (!messageTypes.includes(given.type)) throw new TypeError(`The \`type\` of a message is one of ${messageTypes.join(", ")}.`);
  // The id exists first, so that every repeat is recognised.
  const id = given.id ?? newMessageId(clock.now());
  if (id.length === 0 || id.length > idCharsMax) throw new TypeError(`A message id has 1 to ${idCharsMax} characters.`);
  const timestamp = given.timestamp ?? new Date(clock.now()).toISOString();

  // Before the filter: no page may keep it busy with text of any size.
  if (options.isFromPage === true && given.type === "create" && isTooLarge(given.payload.context)) return await tooLarge();
  const verdict = await passFilter({ ...given, id, timestamp }, settings.filter);
  if (!verdict.keep) {
    emit({ type: "filtered", rule: verdict.rule });
    await count("blocked");
    return { status: "blocked", rule: verdict.rule };
  }
  const json = JSON.stringify({ ...verdict.message, id, timestamp });
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
  let kept: Enqueued;
  try {
    // What a person did is flushed to disk at once.
    kept = await changeAccount(settings, account, keep, { durability: head.rank >= rankOf("action") ? "strict" : "default" });
  } catch (error) {
    emit({ type: "storage", error: storeError(error) });
    remember(settings, account, { "storage-failed": 1 });
    return dropped("storage-failed");
  }
  log.step(`${kept.status} ${given.type} ${id} (${kind}, ${bytes} bytes)`);
  await hook("after-enqueue");
  return kept;

  async function keep(ledger: Ledger): Promise<Enqueued> {
    const { tx, state } = ledger;
    // A call that is repeated because its answer was lost.
    const known = await tx.list("heads", { index: "byId", prefix: [account, id], limit: 1 });
    if (known.length > 0) return { status: "queued", id };
    const turn = source && (await nextTurn(tx, source, head.queuedAt));
    const placed = { ...head, ...turn?.held };
    const replaced = placed.mergeKey === undefined ? undefined : await unsent(ledger, placed.mergeKey);
    // Another context of the same tab: it gives way, and its turn is that of the new one.
    const isOther = turn?.held !== undefined && replaced !== undefined && replaced.contextId !== contextId;
    let seq: number;
    if (isOther) {
      await drop(ledger, replaced, "full");
      seq = await add(ledger, { ...placed, ...(replaced.wait && { wait: replaced.wait }) }, json);
    } else if (replaced === undefined) {
      await turn?.take();
      seq = await add(ledger, placed, json);
    } else {
      // In its place, but under an id of its own: a call that is repeated after its message arrived has an id that the service knows.
      ({ seq } = replaced);
      await tx.put("bodies", json, seq);
      const { rank, queuedAt, contextId } = head;
      await tx.put("heads", { ...replaced, id, rank, bytes, queuedAt, ...(contextId !== undefined && { contextId }) });
      state.bytes += bytes - replaced.bytes;
    }
    await evict(ledger, limits, source?.site);
    if ((await tx.get("heads", seq)) === undefined) return { status: "dropped", reason: "full" };
    return { status: replaced === undefined || isOther ? "queued" : "merged", id };
  }

  async function unsent({ tx }: Ledger, key: string): Promise<Head | undefined> {
    const rows = (await tx.list("heads", { index: "byMergeKey", prefix: [account, key] })) as Head[];
    const last = rows.at(-1);
    if (last?.attempts !== 0) return undefined;
    // What was said of the context since then must not come after this: the server would take it for older.
    const later = (await tx.list("heads", { index: "bySeq", prefix: [account], after: [account, last.seq] })) as Head[];
    return later.some(({ contextId }) => contextId === last.contextId && contextId !== undefined) ? undefined : last;
  }

  async function tooLarge(): Promise<Enqueued> {
    await count("too-large");
    return dropped("too-large");
  }

  function dropped(reason: DropReason): Enqueued {
    reportDropped(settings, { id, rank: rankOf(kindOfMessage(given)), contextId: contextIdOf(given), mergeKey: options.mergeKey }, reason);
    return { status: "dropped", reason };
  }

  async function count(reason: "blocked" | "too-large"): Promise<void> {
    remember(settings, account, { [reason]: 1 });
    // With the next change otherwise.
    await changeAccount(settings, account, () => {}).catch((error: unknown) => emit({ type: "storage", error: storeError(error) }));
  }
}

export function storeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
