import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import type { UserChanges } from "../../contexts/context.store.js";
import {
  type ChangeKind,
  type ChangesPage,
  changesKeptMs,
  changesMax,
  type ContextChange,
  type GoneContext,
  lastChangePlace,
  lastPlace,
  type LiveStore,
  type Position,
} from "../../live/live.store.js";
import { millis } from "./context-statements.js";
import { type Query, rowsOf, run, statement } from "./pool.js";

/** Before the contexts are deleted: what is still to be known of them is read from their rows. */
const recordRemoved =
  statement(`INSERT INTO live_changes ("userId", revision, place, kind, "contextId", type, "tabId", "extensionId", "privacyLevel", at)
    SELECT u."userId", u.revision, r.place, 'deleted', c."contextId", c.type, c."tabId", c."extensionId", c."privacyLevel", to_timestamp($3::float8 / 1000)
    FROM users u, contexts c, unnest($2::text[]) WITH ORDINALITY AS r("contextId", place)
    WHERE u."userId" = $1 AND c."userId" = $1 AND c."contextId" = r."contextId"`);

const recordWritten = statement(`INSERT INTO live_changes ("userId", revision, place, kind, "contextId", at)
    SELECT u."userId", u.revision, r.place + $4::integer, r.kind, r."contextId", to_timestamp($5::float8 / 1000)
    FROM users u, unnest($2::text[], $3::text[]) WITH ORDINALITY AS r(kind, "contextId", place) WHERE u."userId" = $1`);

/** Records that contexts are about to be deleted: for a transaction that has counted the revision, before it deletes them. */
export function recordRemovals(userId: string, contextIds: readonly string[], now: number): Query[] {
  return contextIds.length > 0 ? [[recordRemoved, [userId, contextIds, now]]] : [];
}

/** Records what else a transaction changes, once it has counted the revision. */
export function recordWrites(
  userId: string,
  { created, replaced, viewed, removed, now }: Pick<UserChanges, "created" | "replaced" | "viewed" | "removed" | "now">,
): Query[] {
  const changes = (
    [
      ["created", created],
      ["updated", replaced],
      ["viewed", viewed],
    ] as const
  ).flatMap(([kind, contexts]) => contexts.map(({ contextId }): [ChangeKind, string] => [kind, contextId]));
  if (changes.length === 0) return [];
  const [kinds, ids] = [changes.map(([kind]) => kind), changes.map(([, contextId]) => contextId)];
  return [[recordWritten, [userId, kinds, ids, removed.length, now]]];
}

const readChanges =
  statement(`SELECT revision::float8 AS revision, place, kind, "contextId", type, "tabId", "extensionId", "privacyLevel", ${millis("at")}
    FROM live_changes WHERE "userId" = $1 AND (revision, place) > ($2::bigint, $3::integer)
    ORDER BY live_changes.revision, place LIMIT ${changesMax + 1}`);

const revisionsOf = statement(`SELECT "userId", revision::float8 AS revision FROM users WHERE "userId" = ANY ($1::text[])`);

const insertTicket = statement(
  `INSERT INTO live_tickets ("userId", hash, "keyId", "expiresAt") VALUES ($1, $2, $3, to_timestamp($4::float8 / 1000))`,
);
/** The time as the driver reads it: Citus refuses functions in RETURNING. */
const deleteTicket = statement(`DELETE FROM live_tickets WHERE "userId" = $1 AND hash = $2 RETURNING "keyId", "expiresAt"`);
const pruneTickets = statement(`DELETE FROM live_tickets WHERE "expiresAt" < to_timestamp($1::float8 / 1000)`);
const pruneChanges = statement(`DELETE FROM live_changes WHERE at < to_timestamp($1::float8 / 1000)`);

const channel = "periscope_live";
const notify = statement(`SELECT pg_notify('${channel}', payload) FROM unnest($1::text[]) AS payload`);

/** Changes last a minute longer than promised: the clocks of processes differ. */
const graceMs = 60_000;
const reconnectMs = 1_000;

/**
 * Changes as rows, which all processes read. Who has written says so by NOTIFY, after the commit: inside the transaction it would make
 * all commits of the database wait for each other. A notification that is lost with its process costs a moment, as `revisions` tells too.
 */
export interface PostgresLiveStore extends LiveStore {
  /** Tells this process and the others of a commit that has changed contexts of a user: whoever writes contexts calls this. */
  announce(userId: string): void;
  /** Resolves when nothing is left to tell. */
  idle(): Promise<void>;
}

export function createLiveStore(pool: pg.Pool, databaseUrl: string): PostgresLiveStore {
  // Names this process in its notifications, which it does not need itself.
  const self = randomUUID();
  const listeners = new Set<(userId: string) => void>();
  const unsent = new Set<string>();
  let sending: Promise<void> | undefined;

  const send = async () => {
    while (unsent.size > 0) {
      const payloads = [...unsent].map((userId) => `${self} ${userId}`);
      unsent.clear();
      await run(pool, [notify, [payloads]]).catch(() => {});
    }
    sending = undefined;
  };
  const readRevisions = async (userIds: readonly string[]) => {
    const rows = await rowsOf<{ userId: string; revision: number }>(pool, revisionsOf, [userIds]);
    return new Map(rows.map(({ userId, revision }) => [userId, revision]));
  };

  return {
    announce(userId) {
      for (const listener of listeners) listener(userId);
      unsent.add(userId);
      sending ??= send();
    },

    idle: async () => sending,

    async read(userId, after, now) {
      const rows = await rowsOf<ChangeRow>(pool, readChanges, [userId, after.revision, after.place]);
      if (rows.length > changesMax) return null;
      // Changes may have been dropped since, unless there were none.
      if (after.at < now - changesKeptMs) {
        const revision = (await readRevisions([userId])).get(userId);
        if (after.revision !== revision || after.place < lastChangePlace) return null;
      }
      const changes = rows.map(toChange);
      return { changes, end: { ...(changes.at(-1)?.position ?? after), place: lastPlace } };
    },

    revisions: readRevisions,

    async listen(onWrite) {
      listeners.add(onWrite);
      const ended = new AbortController();
      const listening = listenToOthers(ended.signal);
      return {
        async [Symbol.asyncDispose]() {
          listeners.delete(onWrite);
          ended.abort();
          await listening;
        },
      };

      /** Keeps a connection of its own that listens, and connects again when it breaks. */
      async function listenToOthers(signal: AbortSignal): Promise<void> {
        while (!signal.aborted) {
          const client = new pg.Client({
            connectionString: databaseUrl,
            application_name: "periscope live",
            keepAlive: true,
            connectionTimeoutMillis: 5_000,
          });
          const broken = new Promise<void>((resolve) => {
            client.on("error", () => resolve()).on("end", resolve);
            signal.addEventListener("abort", () => resolve(), { once: true });
          });
          client.on("notification", ({ payload = "" }) => {
            const blank = payload.indexOf(" ");
            if (payload.slice(0, blank) !== self) onWrite(payload.slice(blank + 1));
          });
          try {
            await client.connect();
            await client.query(`LISTEN ${channel}`);
            await broken;
          } catch {
            // The database is gone for now.
          }
          await client.end().catch(() => {});
          await wait(reconnectMs, undefined, { signal }).catch(() => {});
        }
      }
    },

    async addTicket({ userId, hash, keyId, expiresAt }) {
      await run(pool, [insertTicket, [userId, hash, keyId, expiresAt]]);
    },

    async takeTicket({ userId, hash }, now) {
      const [ticket] = await rowsOf<{ keyId: string; expiresAt: Date }>(pool, deleteTicket, [userId, hash]);
      return ticket && ticket.expiresAt.getTime() > now ? ticket.keyId : null;
    },

    async prune(now) {
      await run(pool, [pruneChanges, [now - changesKeptMs - graceMs]]);
      await run(pool, [pruneTickets, [now]]);
    },
  };
}

/** The columns of what is gone are null unless it is a removal. */
type ChangeRow = Position & Pick<ContextChange, "kind" | "contextId"> & (GoneContext | Record<keyof GoneContext, null>);

function toChange({ kind, contextId, revision, place, at, ...gone }: ChangeRow): ChangesPage["changes"][number] {
  return { kind, contextId, gone: gone.type === null ? null : gone, position: { revision, place, at } };
}
