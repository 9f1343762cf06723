import type { Database } from "better-sqlite3";
import {
  type ChangesPage,
  changesKeptMs,
  changesMax,
  comparePositions,
  type ContextChange,
  lastChangePlace,
  lastPlace,
  type LiveStore,
  type LiveTicket,
  type Position,
} from "../../live/live.store.js";

/** The latest changes of a user. */
interface ChangeLog {
  /** Every change after this position is among them. */
  from: Position;
  /** Of the last write that this process made. */
  revision: number;
  changes: ChangesPage["changes"];
}

/** Changes and tickets in memory: one process alone serves an embedded database. */
export interface SqliteLiveStore extends LiveStore {
  /** Records what a write changed: every write that counts the revision, right after its commit. */
  record(userId: string, revision: number, changes: readonly ContextChange[], at: number): void;
}

export function createLiveStore(reader: Database): SqliteLiveStore {
  const logs = new Map<string, ChangeLog>();
  const tickets = new Map<string, LiveTicket>();
  const listeners = new Set<(userId: string) => void>();
  const readRevision = reader.prepare<[string], number>("SELECT revision FROM users WHERE userId = ?").pluck();

  return {
    record(userId, revision, changes, at) {
      let log = logs.get(userId);
      // Another program has written in between, such as `periscope privacy apply`: what it changed is not known here.
      if (log?.revision !== revision - 1) log = { from: { revision: revision - 1, place: lastChangePlace, at }, revision, changes: [] };
      logs.set(userId, log);
      log.revision = revision;
      for (const [place, change] of changes.entries()) log.changes.push({ ...change, position: { revision, place, at } });
      drop(log, log.changes.length - changesMax);
      if (changes.length > 0) for (const listener of listeners) listener(userId);
    },

    async read(userId, after, now) {
      const revision = readRevision.get(userId);
      const log = logs.get(userId);
      if (log && log.revision === revision) {
        dropOld(log, now);
        if (comparePositions(after, log.from) < 0) return null;
        const changes = log.changes.filter(({ position }) => comparePositions(position, after) > 0);
        return { changes, end: { ...(changes.at(-1)?.position ?? after), revision, place: lastPlace } };
      }
      const isLatest = after.revision === revision && after.place >= lastChangePlace;
      return isLatest ? { changes: [], end: { ...after, place: lastPlace } } : null;
    },

    async revisions(userIds) {
      const found = userIds.map((userId) => [userId, readRevision.get(userId)] as const);
      return new Map(found.filter((each): each is [string, number] => each[1] !== undefined));
    },

    async listen(onWrite) {
      listeners.add(onWrite);
      return { [Symbol.asyncDispose]: async () => void listeners.delete(onWrite) };
    },

    async addTicket(ticket) {
      tickets.set(ticket.hash, ticket);
    },

    async takeTicket({ userId, hash }, now) {
      const ticket = tickets.get(hash);
      tickets.delete(hash);
      return ticket?.userId === userId && ticket.expiresAt > now ? ticket.keyId : null;
    },

    async prune(now) {
      for (const [hash, { expiresAt }] of tickets) if (expiresAt <= now) tickets.delete(hash);
      for (const [userId, log] of logs) {
        dropOld(log, now);
        if (log.changes.length === 0) logs.delete(userId);
      }
    },
  };
}

function dropOld(log: ChangeLog, now: number): void {
  const kept = log.changes.findIndex(({ position }) => position.at >= now - changesKeptMs);
  drop(log, kept < 0 ? log.changes.length : kept);
}

function drop(log: ChangeLog, count: number): void {
  const last = log.changes[count - 1];
  if (!last) return;
  log.from = last.position;
  log.changes.splice(0, count);
}
