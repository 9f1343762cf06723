import type { StoredContext } from "./context.store.js";
import type { ExtensionErrorRecord, ExtensionState, MessageKey, ProcessedMessage, SyncChanges, WrittenContext } from "./sync.store.js";

interface Slot {
  before: StoredContext | null;
  after: WrittenContext | null;
  deletedAt: number | undefined;
  buriedAt: number | undefined;
}

/** One user's rows as a request changes them, in memory: read at the start, written at the end. */
export class WorkingSet {
  readonly #slots = new Map<string, Slot>();
  readonly #known = new Map<string, ProcessedMessage>();
  readonly #processed: ProcessedMessage[] = [];
  readonly #extensions = new Map<string, ExtensionState>();
  readonly #errors: ExtensionErrorRecord[] = [];

  addKnown(messages: readonly ProcessedMessage[]): void {
    for (const message of messages) this.#known.set(keyOf(message), message);
  }

  addRows(rows: readonly StoredContext[], tombstones: ReadonlyMap<string, number>): void {
    for (const row of rows) this.#slots.set(row.contextId, { before: row, after: row, deletedAt: undefined, buriedAt: undefined });
    for (const [contextId, buriedAt] of tombstones) this.#slot(contextId).buriedAt = buriedAt;
  }

  processed(key: MessageKey): ProcessedMessage | undefined {
    return this.#known.get(keyOf(key));
  }

  remember(message: ProcessedMessage): void {
    this.#known.set(keyOf(message), message);
    this.#processed.push(message);
  }

  context(contextId: string): WrittenContext | null {
    return this.#slots.get(contextId)?.after ?? null;
  }

  /** When the context was deleted, if it is known to have been. */
  deletedAt(contextId: string): number | undefined {
    const slot = this.#slots.get(contextId);
    return slot?.deletedAt ?? slot?.buriedAt;
  }

  put(context: WrittenContext): void {
    const slot = this.#slot(context.contextId);
    slot.after = context;
    slot.deletedAt = undefined;
  }

  remove(contextId: string, at: number): void {
    const slot = this.#slot(contextId);
    slot.after = null;
    slot.deletedAt = Math.max(at, this.deletedAt(contextId) ?? at);
  }

  seen(state: ExtensionState): void {
    const before = this.#extensions.get(state.extensionId);
    const config = newer(before?.config, state.config);
    const lastSeenAt = Math.max(state.lastSeenAt, before?.lastSeenAt ?? state.lastSeenAt);
    this.#extensions.set(state.extensionId, { extensionId: state.extensionId, lastSeenAt, ...(config && { config }) });
  }

  report(error: ExtensionErrorRecord): void {
    this.#errors.push(error);
  }

  changes(): SyncChanges {
    const changes: SyncChanges = {
      created: [],
      replaced: [],
      removed: [],
      revived: [],
      viewed: [],
      processed: this.#processed,
      extensions: [...this.#extensions.values()],
      errors: this.#errors,
    };
    for (const [contextId, { before, after, deletedAt, buriedAt }] of this.#slots) {
      if (deletedAt !== undefined) changes.removed.push({ contextId, deletedAt });
      if (!after || after === before) continue;
      if (buriedAt !== undefined) changes.revived.push(contextId);
      if (!before) changes.created.push(after);
      else if (isOnlyViewed(before, after)) changes.viewed.push({ contextId, lastSeenAt: after.lastSeenAt ?? 0 });
      else changes.replaced.push(after);
    }
    return changes;
  }

  #slot(contextId: string): Slot {
    let slot = this.#slots.get(contextId);
    if (!slot) this.#slots.set(contextId, (slot = { before: null, after: null, deletedAt: undefined, buriedAt: undefined }));
    return slot;
  }
}

function keyOf({ extensionId, messageId }: MessageKey): string {
  return `${extensionId}\0${messageId}`;
}

function newer<T extends { at: number }>(a: T | undefined, b: T | undefined): T | undefined {
  return a && b ? (b.at >= a.at ? b : a) : (b ?? a);
}

// A heartbeat copies the row and changes one field; strings are compared by reference first, so this is cheap.
function isOnlyViewed(before: StoredContext, after: StoredContext): boolean {
  return before.writtenAt === after.writtenAt && before.content === after.content && before.tabMetadata === after.tabMetadata;
}
