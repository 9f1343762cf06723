import { hash, randomBytes } from "node:crypto";
import { type ByeReason, type LiveFilter, type LiveTicket, limits } from "@periscope/schemas";
import type { AccessService, Principal } from "../access/access.service.js";
import type { ReadBounds } from "../access/access.store.js";
import type { ContextStore } from "../contexts/context.store.js";
import type { Clock } from "../deps.js";
import { rateLimited } from "../domain-error.js";
import { toTimestamp } from "../formats.js";
import type { Metrics } from "../metrics/metrics.js";
import { type LiveStore, toPosition } from "./live.store.js";
import { Outbox, type Transport } from "./outbox.js";
import { UserFeed } from "./user-feed.js";

/** The live channel: its connections, whatever carries them, and the tickets that open some. */
export type LiveService = ReturnType<typeof createLiveService>;

export type LiveKind = "websocket" | "sse" | "mcp";

export interface LiveServiceOptions {
  store: LiveStore;
  contexts: Pick<ContextStore, "currentHead" | "heads">;
  access: Pick<AccessService, "findPrincipal" | "validKeys">;
  metrics: Pick<Metrics, "live">;
  clock: Clock;
  /** Called when events or keys could not be read; they are read again. */
  onFailure: (error: unknown) => void;
}

/** Who follows the channel: a key, or a person whose session is asked about from time to time. */
export type LiveReader = ReadBounds & ({ keyId: string } | { isSignedIn: () => Promise<boolean> });

export interface LiveConnection {
  /** Begins to send events, after `after` where it is given; replaces an earlier subscription. */
  subscribe(wanted: { after?: string | undefined; filter?: LiveFilter | undefined }): void;
  unsubscribe(): void;
  /** Sends a frame that is no event. */
  send(frame: object): void;
  end(reason: ByeReason, retryAfterSeconds?: number): void;
  /** To be called when the client is gone. */
  closed(): void;
}

/** How often keys are checked, and whether changes were missed; a key that ended is noticed within this time. */
const checkEveryMs = 2_000;
const pruneEveryMs = 60_000;

interface Entry {
  reader: LiveReader;
  outbox: Outbox;
}

export function createLiveService({ store, contexts, access, metrics, clock, onFailure }: LiveServiceOptions) {
  const entries = new Set<Entry>();
  const perUser = new Map<string, number>();
  /** Of users who are followed here, with the number of their subscriptions. */
  const feeds = new Map<string, { feed: UserFeed; subscriptions: number }>();
  let listening: Promise<AsyncDisposable> | undefined;
  let isClosed = false;

  const enterFeed = (userId: string): UserFeed => {
    listening ??= store.listen((writtenOf) => feeds.get(writtenOf)?.feed.wake());
    const entered = feeds.get(userId) ?? { feed: new UserFeed({ userId, store, contexts, clock, onFailure }), subscriptions: 0 };
    entered.subscriptions++;
    feeds.set(userId, entered);
    return entered.feed;
  };
  const leaveFeed = (userId: string) => {
    const entered = feeds.get(userId);
    if (entered && --entered.subscriptions === 0) feeds.delete(userId);
  };

  /** Ends the connections of keys that have ended, and reads changes that no notification told of. */
  const check = async () => {
    if (entries.size === 0) return;
    const keys = [...entries].flatMap(({ reader }) => ("keyId" in reader ? [reader.keyId] : []));
    const valid = await access.validKeys([...new Set(keys)]);
    for (const { reader, outbox } of entries)
      if (!("keyId" in reader ? valid.has(reader.keyId) : await reader.isSignedIn())) outbox.end("unauthorized");
    const revisions = await store.revisions([...feeds.keys()]);
    for (const [userId, { feed }] of feeds) feed.wake(revisions.get(userId));
  };
  let checking: Promise<void> = Promise.resolve();
  const checks = setInterval(() => {
    checking = checking.then(check).catch(onFailure);
  }, checkEveryMs).unref();
  const pruning = setInterval(() => void store.prune(clock()).catch(onFailure), pruneEveryMs).unref();

  return {
    /** Throws `rate_limited` when the user has as many connections as allowed. */
    requireRoom({ userId }: ReadBounds): void {
      if ((perUser.get(userId) ?? 0) < limits.liveConnectionsMax) return;
      throw rateLimited(`This user has ${limits.liveConnectionsMax} live connections. Close one first.`, 10);
    },

    /** Takes a client whose key or session is valid. @param kind of the transport, for the metrics */
    connect(reader: LiveReader, transport: Transport, kind: LiveKind): LiveConnection {
      const { userId, maxPrivacyLevel } = reader;
      const outbox = new Outbox(transport, (reason) => metrics.live.ended(reason));
      const entry = { reader, outbox };
      entries.add(entry);
      perUser.set(userId, (perUser.get(userId) ?? 0) + 1);
      metrics.live.connected(kind, 1);
      if (isClosed) outbox.end("restarting", 1);
      /** Of the subscription that was asked for last. */
      let wanted = new AbortController();

      const unsubscribe = () => wanted.abort();
      return {
        subscribe({ after, filter = {} }) {
          wanted.abort();
          const { signal } = (wanted = new AbortController());
          const feed = enterFeed(userId);
          signal.addEventListener("abort", () => leaveFeed(userId), { once: true });
          const send: Outbox["send"] = (frame) => {
            if (signal.aborted) return;
            metrics.live.sent();
            outbox.send(frame);
          };
          const subscriber = { bounds: { userId, maxPrivacyLevel }, filter, send };
          feed.subscribe(subscriber, after === undefined ? undefined : toPosition(after), signal).then(
            (end) => {
              if (signal.aborted) return end();
              return signal.addEventListener("abort", end, { once: true });
            },
            (error: unknown) => {
              onFailure(error);
              if (!signal.aborted) outbox.end("unavailable", 5);
            },
          );
        },
        unsubscribe,
        send: (frame) => outbox.send({ json: JSON.stringify(frame) }),
        end: (reason, retryAfterSeconds) => outbox.end(reason, retryAfterSeconds),
        closed() {
          if (!entries.delete(entry)) return;
          unsubscribe();
          const left = (perUser.get(userId) ?? 1) - 1;
          if (left > 0) perUser.set(userId, left);
          else perUser.delete(userId);
          metrics.live.connected(kind, -1);
        },
      };
    },

    /** A ticket for one connection with the caller's key. */
    async createTicket({ userId, keyId }: Principal): Promise<LiveTicket> {
      const expiresAt = clock() + limits.liveTicketSeconds * 1_000;
      // The user's id leads to the machine that has the ticket, where users are spread over several.
      const ticket = `${Buffer.from(userId).toString("base64url")}.${randomBytes(32).toString("base64url")}`;
      await store.addTicket({ userId, keyId, hash: hash("sha256", ticket, "hex"), expiresAt });
      return { ticket, expiresAt: toTimestamp(expiresAt) };
    },

    /** Takes a ticket, once. null when it is unknown, used or expired, or its key has ended. */
    async redeemTicket(ticket: string): Promise<Principal | null> {
      const userId = Buffer.from(ticket.split(".")[0] ?? "", "base64url").toString("utf8");
      const keyId = await store.takeTicket({ userId, hash: hash("sha256", ticket, "hex") }, clock());
      return keyId === null ? null : await access.findPrincipal(keyId);
    },

    /** Ends every connection: the server restarts. */
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(checks);
      clearInterval(pruning);
      for (const { outbox } of entries) outbox.end("restarting", 1);
      await checking;
      await (await listening)?.[Symbol.asyncDispose]();
    },
  };
}
