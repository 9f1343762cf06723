import { isAtMost, maxLevel, type PrivacyLevel } from "@periscope/privacy";
import { limits, type SyncResult } from "@periscope/schemas";
import { ulid } from "ulid";
import type { Principal } from "../access/access.service.js";
import { payloadTooLarge } from "../domain-error.js";
import { type Captured, derived, type Filtered } from "../privacy/privacy-filter.js";
import type { SearchDocument } from "../search/search-document.js";
import { canonicalJson, latest, toMillis, toTimestamp } from "../formats.js";
import { type Capture, levelReasons, mergePatch, toStored, withLevel } from "./capture.js";
import type {
  ExtensionErrorRecord,
  ExtensionState,
  MessageKey,
  ProcessedMessage,
  ReplacedContext,
  StoredContext,
  UserChanges,
  UserState,
  WrittenContext,
} from "./context.store.js";
import type { FilteredCapture, SearchedParts } from "./filter-task.js";
import { type FilteredPatch, fingerprint, isSameMessage, unknownBody } from "./fingerprint.js";
import { type Failure, failure, notCaptured, type Outcome } from "./outcome.js";
import { type BoundedFilter, isTooComplex, type Prepared, type PreparedOf } from "./prepare.js";

// Third step of a sync: work out what the messages change, in memory.

export interface ApplyOptions {
  principal: Principal;
  /** The server's clock, in milliseconds since the epoch. */
  now: number;
  bounded: BoundedFilter;
  /** Awaited after each message, so that other requests get their turn. */
  pause: () => Promise<void> | undefined;
  /** Stored text that earlier parts of the batch had filtered or analysed again, in bytes. */
  reprocessed: number;
}

/** Applies messages in order to the loaded state. Answers the outcome of each, all changes together, and how much stored text the batch had processed again so far. */
export async function applyMessages(
  messages: ReadonlyArray<Prepared | Failure>,
  state: UserState,
  options: ApplyOptions,
): Promise<{ outcomes: Outcome[]; changes: Omit<UserChanges, "revision">; reprocessed: number }> {
  const draft = new Draft(state, options.reprocessed);
  const outcomes: Outcome[] = [];
  for (const message of messages) {
    outcomes.push(message.ok ? await applyMessage(message, draft, options) : message);
    await options.pause();
  }
  const { now, bounded } = options;
  await draft.analyse(bounded);
  const changes = { now, policy: bounded.filter.policyId, ...draft.changes() };
  return { outcomes, changes, reprocessed: draft.reprocessed };
}

/** What a message did: its answer beside id, status and time; and the level and body that its fingerprint is made of. */
interface Effect {
  ok: true;
  answer: Pick<SyncResult, "contextId" | "privacyLevel" | "reasons" | "redactions">;
  level: PrivacyLevel;
  body: unknown;
}

async function applyMessage(prepared: Prepared, draft: Draft, options: ApplyOptions): Promise<Outcome> {
  const { message, extensionId } = prepared;
  const { bounded, now } = options;
  const key = { extensionId, messageId: message.id };
  const known = draft.processed(key);
  if (known) {
    if (!isSameMessage(known.fingerprint, message, bounded.filter, await bodyAt(prepared, known.privacyLevel, bounded)))
      return failure(message.id, "message_id_reused", "id: this message id was used for another message; send this one under a new id.");
    return { ok: true, result: { ...(JSON.parse(known.result) as SyncResult), duplicate: true } };
  }
  const effect = await applyEffect(prepared, draft, options);
  if (!effect.ok) return effect;
  const result: SyncResult = { messageId: message.id, status: "success", ...effect.answer, timestamp: toTimestamp(now) };
  draft.record({
    ...key,
    fingerprint: fingerprint(message, effect.body, bounded.filter.policyId),
    privacyLevel: effect.level,
    result: JSON.stringify(result),
    processedAt: now,
  });
  return { ok: true, result };
}

function applyEffect(prepared: Prepared, draft: Draft, options: ApplyOptions): Effect | Failure | Promise<Effect | Failure> {
  switch (prepared.type) {
    case "create":
      return createContext(prepared, draft, options);
    case "update":
      return updateContext(prepared, draft, options);
    case "delete":
      return deleteContext(prepared, draft, options);
    case "heartbeat":
      return viewContext(prepared, draft, options);
    case "config": {
      const { message, extensionId, filtered } = prepared;
      const at = toMillis(message.timestamp);
      const json = derived(filtered, (settings) => JSON.stringify(settings));
      draft.seeExtension({ extensionId, keyId: options.principal.keyId, lastSeenAt: Math.min(at, options.now), config: { json, at } });
      return succeed({}, filtered);
    }
    case "error": {
      const { message, extensionId, filtered } = prepared;
      draft.addError({ extensionId, ...filtered, occurredAt: toMillis(message.timestamp) });
      return succeed({}, filtered);
    }
  }
}

// To a key with a maximum level, a context above that level is not there: the key can neither change it nor find out that its id is taken.
// The record of a deleted context does not say which level it had, so what such a key is answered never depends on that record.

/** Whether the key can see the context, or that there is none. */
const canSee = (stored: StoredContext | null, { principal: { maxPrivacyLevel } }: ApplyOptions): boolean =>
  maxPrivacyLevel === "restricted" || (stored !== null && isAtMost(stored.privacyLevel, maxPrivacyLevel));

async function createContext(prepared: PreparedOf<"create">, draft: Draft, options: ApplyOptions): Promise<Effect | Failure> {
  const { message, item, extensionId } = prepared;
  const contextId = message.payload.context.id ?? `ctx_${ulid()}`;
  const writtenAt = toMillis(message.timestamp);
  const stored = draft.context(contextId);
  const own = prepared.filtered.outcome;
  const { outcome, searched } = await filterAtLeast(prepared, stored?.privacyLevel ?? "public", options.bounded);
  if (!outcome.captured || !searched?.search || !own.captured) return notCaptured(message.id, outcome.reasons);
  // A key that may not see what is stored under this id gets the answer that it would get if nothing were, also when it sends the message again.
  const answerWith = (answer: Omit<Effect["answer"], "contextId">): Effect =>
    canSee(stored, options)
      ? succeed({ contextId, ...answer }, outcome.context, outcome.level)
      : succeed({ contextId, ...describeFiltering(own) }, own.context, own.level);
  if (stored && writtenAt < stored.writtenAt) return answerWith({ privacyLevel: stored.privacyLevel });
  if (!stored && draft.wasDeletedAfter(contextId, writtenAt)) return answerWith({});
  const filtered = stored && !isAtMost(stored.privacyLevel, own.level) ? withStoredLevel(outcome) : outcome;
  draft.write(item.capture, filtered, searched, { userId: options.principal.userId, contextId, extensionId, writtenAt });
  return answerWith(describeFiltering(filtered));
}

async function updateContext(prepared: PreparedOf<"update">, draft: Draft, options: ApplyOptions): Promise<Effect | Failure> {
  const { message } = prepared;
  const { bounded } = options;
  const patch = message.payload.context;
  const contextId = patch.id;
  const writtenAt = toMillis(message.timestamp);
  const stored = draft.context(contextId);
  if (!canSee(stored, options) || (!stored && !draft.wasDeletedAfter(contextId, writtenAt)))
    return failure(message.id, "not_found", `payload.context.id: there is no context ${contextId}; create it first.`);
  if (!stored || writtenAt < stored.writtenAt) return succeedUpdate(prepared, { contextId }, stored?.privacyLevel ?? "private", bounded);
  const merged = mergePatch(stored, patch);
  const capture = withLevel(merged, maxLevel(stored.privacyLevel, patch.privacyLevel ?? "public"));
  const keepsText = patch.content === undefined && merged.input.type === stored.type && merged.input.contentFormat === stored.contentFormat;
  const fields = keepsText ? await filterFields(capture, stored, bounded) : undefined;
  if (!fields && patch.content === undefined) draft.countReprocessed(stored.content);
  const [filtered] = fields ? [fields] : await bounded.run([{ kind: "capture", capture }]);
  if (!filtered?.outcome.captured || !filtered.searched) return notCaptured(message.id, filtered?.outcome.reasons ?? []);
  const { outcome, searched } = filtered;
  const asksForLess = patch.privacyLevel !== undefined && !isAtMost(stored.privacyLevel, patch.privacyLevel);
  const captured = asksForLess ? withStoredLevel(outcome) : outcome;
  draft.write(merged, captured, searched, { userId: stored.userId, contextId, extensionId: stored.extensionId, writtenAt });
  return succeedUpdate(prepared, { contextId, ...describeFiltering(captured) }, captured.level, bounded);
}

/**
 * The capture of an update that keeps the content. That is filtered already, so only the rest is filtered: a batch of new titles costs
 * little, however long the page is. Undefined where the level changes, since then the content must be filtered again.
 */
async function filterFields(capture: Capture, stored: StoredContext, bounded: BoundedFilter): Promise<FilteredCapture | undefined> {
  const input = { ...capture.input, type: "page", content: "", contentFormat: "text" } as const;
  const [fields] = await bounded.run([{ kind: "fields", capture: { ...capture, input } }]);
  if (!fields?.outcome.captured) return fields;
  const { outcome } = fields;
  if (outcome.level !== stored.privacyLevel || outcome.failedClosed) return undefined;
  const { content, contentFormat, plainText } = stored;
  return { outcome: { ...outcome, context: { ...outcome.context, content, contentFormat } }, searched: { plainText, search: null } };
}

/** The effect of an update, recorded with its patch filtered at `level` or above. */
async function succeedUpdate(
  prepared: PreparedOf<"update">,
  answer: Effect["answer"],
  level: PrivacyLevel,
  bounded: BoundedFilter,
): Promise<Effect | Failure> {
  const patch = await patchAtLeast(prepared, level, bounded);
  return patch ? succeed(answer, patch.body, patch.level) : notCaptured(prepared.message.id, ["policy"]);
}

function deleteContext({ message }: PreparedOf<"delete">, draft: Draft, options: ApplyOptions): Effect {
  const contextId = message.payload.context.id;
  const at = toMillis(message.timestamp);
  const stored = draft.context(contextId);
  if (!stored || (canSee(stored, options) && at >= stored.writtenAt)) draft.remove(contextId, at);
  return succeed({ contextId }, {});
}

function viewContext({ message, extensionId }: PreparedOf<"heartbeat">, draft: Draft, options: ApplyOptions): Effect {
  const contextId = message.payload?.contextId;
  const at = toMillis(message.timestamp);
  draft.seeExtension({ extensionId, keyId: options.principal.keyId, lastSeenAt: Math.min(at, options.now) });
  const stored = contextId === undefined ? null : draft.context(contextId);
  if (!stored || !canSee(stored, options)) return succeed({}, {});
  draft.view(stored.contextId, at);
  return succeed({ contextId: stored.contextId }, {});
}

const succeed = (answer: Effect["answer"], body: unknown, level: PrivacyLevel = "private"): Effect => ({ ok: true, answer, level, body });

const describeFiltering = ({ level, reasons, redactions }: Captured) => ({ privacyLevel: level, reasons, redactions });

/** With the reason for a level that neither message nor page asked for: a stored level is never lowered. */
const withStoredLevel = (captured: Captured): Captured => ({ ...captured, reasons: [...captured.reasons, "stored:level"] });

/** A capture filtered at `level` or above. */
export async function filterAtLeast(
  { item, filtered }: { item: { capture: Capture }; filtered: FilteredCapture },
  level: PrivacyLevel,
  bounded: BoundedFilter,
): Promise<FilteredCapture> {
  if (!filtered.outcome.captured || isAtMost(level, filtered.outcome.level)) return filtered;
  const [again = filtered] = await bounded.run([{ kind: "capture", capture: withLevel(item.capture, level) }]);
  return again;
}

async function patchAtLeast(
  { item: { patch }, filtered }: PreparedOf<"update">,
  level: PrivacyLevel,
  bounded: BoundedFilter,
): Promise<FilteredPatch | undefined> {
  if (filtered && isAtMost(level, filtered.level)) return filtered;
  const [again] = await bounded.run([{ kind: "patch", patch, level }]);
  return again;
}

/** What the filter leaves of a message at exactly `level`; undefined when it cannot be brought to that level. */
async function bodyAt(prepared: Prepared, level: PrivacyLevel, bounded: BoundedFilter): Promise<unknown> {
  switch (prepared.type) {
    case "create": {
      const filtered = await filterAtLeast(prepared, level, bounded);
      const { outcome } = filtered;
      if (!outcome.captured) return undefined;
      if (outcome.level === level) return outcome.context;
      return isTooComplex(filtered) ? unknownBody : undefined;
    }
    case "update": {
      const patch = await patchAtLeast(prepared, level, bounded);
      if (patch?.level === level) return patch.body;
      return patch?.isWithheld ? unknownBody : undefined;
    }
    case "config":
    case "error":
      return prepared.filtered;
    case "delete":
    case "heartbeat":
      return {};
  }
}

/** Stored text that a batch may read, filter or analyse again, in bytes: as much as it may bring. */
export const storedTextMax = limits.bodyBytesMax;

/** The updates of a batch are small, and what they change is not. */
export const tooMuchStoredText = () =>
  payloadTooLarge(
    `The updates of this batch need more than ${storedTextMax} bytes of stored content to be processed again. Send fewer in one batch.`,
    limits.bodyBytesMax,
  );

/** Whether the search index says the same of two states of a context whose content is the same. */
function isSearchedAlike(a: StoredContext, b: StoredContext): boolean {
  const plain = ["type", "privacyLevel", "capturedAt", "url", "title"] as const;
  return plain.every((field) => a[field] === b[field]) && canonicalJson(searchedRecords(a)) === canonicalJson(searchedRecords(b));
}

/** Flags and the time of the last change are not searched. */
function searchedRecords({ metadata, tabMetadata }: StoredContext): unknown {
  const searched = Object.entries(tabMetadata).filter(([key, value]) => key !== "lastUpdated" && typeof value !== "boolean");
  return [metadata, Object.fromEntries(searched)];
}

/** A context of the loaded state, and what the messages so far made of it. */
interface Slot {
  before: StoredContext | null;
  after: StoredContext | null;
  /** Whether `after` was written; otherwise only its times may have changed. */
  isWritten: boolean;
  /** Its new entry in the search index; null leaves the stored one. */
  search: Filtered<SearchDocument> | null;
  /** Whether the entry is of an earlier state. It is made once, from the last. */
  isStale: boolean;
  /** When it was deleted, as far as it is not stored yet, and as stored. */
  deletedAt: number | undefined;
  tombstone: number | undefined;
}

type WrittenIds = Pick<StoredContext, "userId" | "contextId" | "extensionId" | "writtenAt">;

/** The loaded state with the changes of the messages so far. */
class Draft {
  readonly #slots = new Map<string, Slot>();
  readonly #known = new Map<string, ProcessedMessage>();
  readonly #processed: ProcessedMessage[] = [];
  readonly #extensions = new Map<string, ExtensionState>();
  readonly #errors: ExtensionErrorRecord[] = [];
  reprocessed: number;

  constructor({ processed, contexts, tombstones }: UserState, reprocessed: number) {
    this.reprocessed = reprocessed;
    for (const message of processed) this.#known.set(keyOf(message), message);
    for (const row of contexts) Object.assign(this.#slot(row.contextId), { before: row, after: row });
    for (const [contextId, tombstone] of tombstones) this.#slot(contextId).tombstone = tombstone;
  }

  processed(key: MessageKey): ProcessedMessage | undefined {
    return this.#known.get(keyOf(key));
  }

  record(message: ProcessedMessage): void {
    this.#known.set(keyOf(message), message);
    this.#processed.push(message);
  }

  context(contextId: string): StoredContext | null {
    return this.#slots.get(contextId)?.after ?? null;
  }

  /** Whether a delete is known that is newer than a message. */
  wasDeletedAfter(contextId: string, writtenAt: number): boolean {
    const { deletedAt, tombstone } = this.#slot(contextId);
    return writtenAt < (deletedAt ?? tombstone ?? -Infinity);
  }

  /** Writes a filtered capture; what is stored keeps its times. */
  write(capture: Capture, captured: Captured, { plainText, search }: SearchedParts, ids: WrittenIds): void {
    const slot = this.#slot(ids.contextId);
    const { viewedAt = null, lastSeenAt = null } = slot.after ?? {};
    // A context captured in the active tab is viewed at that moment; one captured in the background is not viewed yet.
    const times = { viewedAt: latest(viewedAt, capture.input.tabMetadata.isActive ? capture.capturedAt : null), lastSeenAt };
    const after = toStored(capture, captured, {
      ...ids,
      ...times,
      levelReasons: levelReasons(slot.after ? [slot.after] : [], captured),
      plainText,
    });
    const isStale = search === null && (slot.isStale || !slot.after || !isSearchedAlike(after, slot.after));
    Object.assign(slot, { after, isWritten: true, search: search ?? slot.search, isStale, deletedAt: undefined });
  }

  /** Counts stored text that is filtered or analysed again. Throws `payload_too_large` past the bound of a batch. */
  countReprocessed(text: string): void {
    this.reprocessed += Buffer.byteLength(text);
    if (this.reprocessed > storedTextMax) throw tooMuchStoredText();
  }

  /** Makes the entries in the search index that are of an earlier state. */
  async analyse(bounded: BoundedFilter): Promise<void> {
    const stale = [...this.#slots.values()].flatMap((slot) => (slot.isStale && slot.after ? [{ slot, after: slot.after }] : []));
    for (const { after } of stale) this.countReprocessed(after.plainText ?? after.content);
    const documents = await bounded.run(stale.map(({ after }) => ({ kind: "searchable", context: after }) as const));
    for (const [index, { slot }] of stale.entries()) slot.search = documents[index] ?? slot.search;
  }

  view(contextId: string, at: number): void {
    const slot = this.#slot(contextId);
    if (slot.after)
      slot.after = { ...slot.after, viewedAt: latest(slot.after.viewedAt, at), lastSeenAt: latest(slot.after.lastSeenAt, at) };
  }

  remove(contextId: string, at: number): void {
    const slot = this.#slot(contextId);
    const deletedAt = Math.max(at, slot.deletedAt ?? slot.tombstone ?? at);
    Object.assign(slot, { after: null, isWritten: false, search: null, isStale: false, deletedAt });
  }

  seeExtension(state: ExtensionState): void {
    const { extensionId, keyId } = state;
    const before = this.#extensions.get(extensionId);
    const config = state.config && before?.config && before.config.at > state.config.at ? before.config : (state.config ?? before?.config);
    const lastSeenAt = Math.max(state.lastSeenAt, before?.lastSeenAt ?? state.lastSeenAt);
    this.#extensions.set(extensionId, { extensionId, lastSeenAt, ...(keyId !== undefined && { keyId }), ...(config && { config }) });
  }

  addError(error: ExtensionErrorRecord): void {
    this.#errors.push(error);
  }

  changes(): Omit<UserChanges, "revision" | "now" | "policy"> {
    const created: WrittenContext[] = [];
    const replaced: ReplacedContext[] = [];
    const viewed: Array<UserChanges["viewed"][number]> = [];
    const removed: Array<UserChanges["removed"][number]> = [];
    const revived: string[] = [];
    for (const [contextId, { before, after, isWritten, search, deletedAt, tombstone }] of this.#slots) {
      if (deletedAt !== undefined) removed.push({ contextId, deletedAt });
      if (!after || after === before) continue;
      if (tombstone !== undefined) revived.push(contextId);
      if (before && isWritten) replaced.push({ ...after, search });
      else if (before) viewed.push({ contextId, viewedAt: after.viewedAt, lastSeenAt: after.lastSeenAt });
      else if (search) created.push({ ...after, search });
    }
    return {
      created,
      replaced,
      viewed,
      removed,
      revived,
      processed: this.#processed,
      extensions: [...this.#extensions.values()],
      errors: this.#errors,
    };
  }

  #slot(contextId: string): Slot {
    let slot = this.#slots.get(contextId);
    if (!slot) {
      slot = { before: null, after: null, isWritten: false, search: null, isStale: false, deletedAt: undefined, tombstone: undefined };
      this.#slots.set(contextId, slot);
    }
    return slot;
  }
}

function keyOf({ extensionId, messageId }: MessageKey): string {
  return `${extensionId}\0${messageId}`;
}
