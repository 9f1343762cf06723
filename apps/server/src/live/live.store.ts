import type { EventId } from "@periscope/schemas";
import type { StoredContext } from "../contexts/context.store.js";

/** What a committed write did to a context. */
export type ChangeKind = "created" | "updated" | "viewed" | "deleted";

/** A place in the order of a user's changes. */
export interface Position {
  /** The revision of the user's data that the write made: it grows with every write of the user, in the order of the commits. */
  revision: number;
  /** Among the changes of that revision. */
  place: number;
  /** Milliseconds since the epoch, by the server's clock. */
  at: number;
}

/** The place after all changes of a revision. */
export const lastPlace = 36 ** 4 - 1;

/**
 * The place that the id of a revision's last change names. By that alone it is known that nothing else of the revision comes after it, also
 * when the changes are no longer kept.
 */
export const lastChangePlace = lastPlace - 1;

/** Changes that are kept of a user for those who read on after a break. */
export const changesMax = 1_000;

/** Milliseconds that changes are kept. */
export const changesKeptMs = 15 * 60_000;

/** What is still known of a context that was deleted. */
export type GoneContext = Pick<StoredContext, "type" | "tabId" | "extensionId" | "privacyLevel">;

/** A change of a context. It holds no text: readers look the context up as it is by then, and never see what was removed since. */
export interface ContextChange {
  kind: ChangeKind;
  contextId: string;
  /** Of a `deleted` context, else null. */
  gone: GoneContext | null;
}

/** Changes of one user after a position, in the order of the commits. */
export interface ChangesPage {
  changes: Array<ContextChange & { position: Position }>;
  /** Where to read on. */
  end: Position;
}

/** Opens one connection in the place of a key. */
export interface LiveTicket {
  userId: string;
  /** SHA-256 of the ticket, hex. */
  hash: string;
  keyId: string;
  expiresAt: number;
}

/** The changes of users' contexts. The stores that write contexts record them with every write, in the same transaction. */
export interface LiveStore {
  /**
   * The changes after a position. null when they are no longer kept, or are more than {@link changesMax}: whoever reads starts again from
   * the current state.
   * @param now the server's clock
   */
  read(userId: string, after: Position, now: number): Promise<ChangesPage | null>;
  /** The revision of each user's data; users who do not exist are left out. */
  revisions(userIds: readonly string[]): Promise<Map<string, number>>;
  /** Calls `onWrite` after commits that changed contexts of a user. One by another process may be missed: `revisions` then tells of it. */
  listen(onWrite: (userId: string) => void): Promise<AsyncDisposable>;
  addTicket(ticket: LiveTicket): Promise<void>;
  /** The id of a ticket's key, once; null when the ticket is unknown, taken or expired. */
  takeTicket(ticket: Pick<LiveTicket, "userId" | "hash">, now: number): Promise<string | null>;
  prune(now: number): Promise<void>;
}

/** Compares two positions of a user: negative when `a` is before `b`. */
export function comparePositions(a: Position, b: Position): number {
  return a.revision - b.revision || a.place - b.place;
}

/** Digits of revision, place and time in base 36: fixed, so that ids compare as text as their positions do. */
const digits = [9, 4, 9] as const;

export function toEventId({ revision, place, at }: Position): EventId {
  return [revision, place, at].map((part, index) => part.toString(36).padStart(digits[index] ?? 0, "0")).join("");
}

export function toPosition(id: EventId): Position {
  const [revision = 0, place = 0, at = 0] =
    /^(.{9})(.{4})(.{9})$/
      .exec(id)
      ?.slice(1)
      .map((part) => Number.parseInt(part, 36)) ?? [];
  return { revision, place, at };
}
