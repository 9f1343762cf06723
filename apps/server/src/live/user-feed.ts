import { hash } from "node:crypto";
import { isAtMost } from "@periscope/privacy";
import type {
  ContextEvent,
  CurrentEvent,
  DeletedEvent,
  LiveContext,
  LiveErrorFrame,
  LiveFilter,
  SubscribedFrame,
} from "@periscope/schemas";
import type { ReadBounds } from "../access/access.store.js";
import type { Clock } from "../deps.js";
import { describeContext } from "../contexts/context.service.js";
import type { ContextHead, ContextStore } from "../contexts/context.store.js";
import { toTimestamp } from "../formats.js";
import {
  type ChangesPage,
  comparePositions,
  type GoneContext,
  lastChangePlace,
  lastPlace,
  type LiveStore,
  type Position,
  toEventId,
} from "./live.store.js";
import { yieldToEventLoop } from "../workers/pause.js";
import type { Frame } from "./outbox.js";

const channel = "current-context";

/** Changes that are described at once; then others have their turn, and what was sent can leave. */
const sliceMax = 25;

/** How often more changes are looked for before the current context is sent. */
const roundsMax = 5;

/** One who follows a user's events. */
export interface Subscriber {
  /** The user, and the highest level that the subscriber may see. */
  readonly bounds: ReadBounds;
  readonly filter: LiveFilter;
  send(frame: Frame): void;
}

interface Subscription {
  subscriber: Subscriber;
  /** Up to where the subscriber has got the events. */
  seen: Position;
  /** Stands for the current context that the subscriber was told of last. */
  current: string;
}

/** A change as it is sent: whoever may see the context gets the same text. */
interface SentChange {
  position: Position;
  about: GoneContext;
  frame: Frame;
}

export interface UserFeedOptions {
  userId: string;
  store: LiveStore;
  contexts: Pick<ContextStore, "currentHead" | "heads">;
  clock: Clock;
  /** Called with each failure to read. What was not read is read by a later `wake`. */
  onFailure: (error: unknown) => void;
}

/**
 * Reads the changes of one user, once for all who follow them here, and sends each what it may see. A reader that was away for too long is
 * told to start again from the current state.
 */
export class UserFeed {
  readonly #subscriptions = new Set<Subscription>();
  /** Up to where changes were read. */
  #position: Position | undefined;
  /** Reads come one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #isWoken = false;
  /** Whether changes were sent since the current context was looked at. */
  #isCurrentDue = false;

  constructor(private readonly options: UserFeedOptions) {}

  /**
   * Begins to send events: first those after `after`, where it is given. Resolves to what ends the subscription, once it has begun.
   * Rejects when the store cannot be read.
   * @param signal says that the subscription is not wanted any more: then nothing is read for it
   */
  subscribe(subscriber: Subscriber, after: Position | undefined, signal: AbortSignal): Promise<() => void> {
    return this.#inTurn(async () => {
      if (signal.aborted) return () => {};
      const { userId, store, clock } = this.options;
      if (this.#position) await this.#readOn(this.#position);
      const now = await this.#now();
      this.#position ??= now;
      // An id that is ahead of the database is of another one, or of a later state of this one.
      const missed = after && (comparePositions(after, now) > 0 ? null : await store.read(userId, after, clock()));
      if (missed === null) subscriber.send(resync);
      const subscription: Subscription = { subscriber, seen: now, current: "" };
      const seen = missed?.end ?? now;
      // After a change, what is current may have changed with it.
      const hasMissed = after && missed && (missed.changes.length > 0 || after.place < lastPlace);
      // A connection that breaks before the missed changes are sent goes on from the same place again.
      await this.#welcome(subscription, seen, hasMissed ? after : seen);
      // Without a current context that the subscriber knows: it gets the event of that, too.
      if (hasMissed) {
        const catchingUp = { subscriber, seen: after, current: "" };
        await this.#sendChanges(missed.changes, [catchingUp]);
        this.#sendCurrent(catchingUp, await this.#currentOf(subscriber), missed.end);
      }
      this.#subscriptions.add(subscription);
      return () => void this.#subscriptions.delete(subscription);
    });
  }

  /** Reads what is new. @param revision of the user's data, where it is known */
  wake(revision?: number): void {
    if (revision !== undefined && this.#position && revision <= this.#position.revision && !this.#isCurrentDue) {
      // Nothing was missed until now.
      this.#position.at = this.options.clock();
      return;
    }
    if (this.#isWoken) return;
    this.#isWoken = true;
    this.#inTurn(async () => {
      this.#isWoken = false;
      if (this.#position) await this.#readOn(this.#position, revision);
    }).catch(this.options.onFailure);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  /** The place after everything that is committed. */
  async #now(): Promise<Position> {
    const { userId, store, clock } = this.options;
    return { revision: (await store.revisions([userId])).get(userId) ?? 0, place: lastPlace, at: clock() };
  }

  async #readOn(position: Position, revision = 0): Promise<void> {
    const { userId, store, clock } = this.options;
    let sendCurrents: (() => void) | undefined;
    for (let round = 0, from = position; ; round++) {
      const page = await store.read(userId, from, clock());
      if (!page) return await this.#startAgain();
      const isQuiet = page.changes.length === 0;
      // What is current may be newer than the changes so far: those that made it so are sent first. A user who writes all the time is not
      // waited for; then it is sent before further changes, whose ids are higher.
      const isLast = sendCurrents !== undefined && (isQuiet || round >= roundsMax);
      if (isLast) {
        sendCurrents?.();
        this.#isCurrentDue = false;
      }
      if (!isQuiet) {
        await this.#sendChanges(page.changes, [...this.#subscriptions]);
        this.#isCurrentDue = true;
      }
      // Of revisions up to one that was read before, all changes were there to read.
      this.#position = from = { ...page.end, at: clock(), ...(page.end.revision < revision && { revision, place: lastPlace }) };
      if (isLast && this.#isCurrentDue) return this.wake();
      if (!this.#isCurrentDue) return;
      sendCurrents = await this.#lookAtCurrents(from);
    }
  }

  async #startAgain(): Promise<void> {
    const now = await this.#now();
    this.#position = now;
    for (const subscription of this.#subscriptions) {
      subscription.subscriber.send(resync);
      await this.#welcome(subscription, now);
    }
  }

  /**
   * Tells a subscriber the current context, which is as of `seen` or later.
   * @param resumeAt where the subscriber goes on when it gets nothing more than this
   */
  async #welcome(subscription: Subscription, seen: Position, resumeAt = seen): Promise<void> {
    const { subscriber } = subscription;
    const current = await this.#currentOf(subscriber);
    const id = toEventId(resumeAt);
    const frame: SubscribedFrame = { type: "subscribed", channel, id, current: current && matches(current, subscriber) ? current : null };
    subscription.seen = seen;
    subscription.current = hashOfCurrent(current);
    subscriber.send({ json: JSON.stringify(frame), id });
  }

  async #sendChanges(changes: ChangesPage["changes"], subscriptions: readonly Subscription[]): Promise<void> {
    for (let from = 0; from < changes.length; from += sliceMax) {
      if (from > 0) await yieldToEventLoop();
      const described = await this.#describe(changes.slice(from, from + sliceMax), changes[from + sliceMax]);
      for (const { subscriber, seen } of subscriptions)
        for (const { position, about, frame } of described) {
          const isVisible = isAtMost(about.privacyLevel, subscriber.bounds.maxPrivacyLevel);
          if (isVisible && comparePositions(position, seen) > 0 && matches(about, subscriber)) subscriber.send(frame);
        }
    }
  }

  /** What tells each subscriber of its current context. Those who may see the same share one look. */
  async #lookAtCurrents(position: Position): Promise<() => void> {
    const looks = new Map<string, Promise<LiveContext | null>>();
    const found = [...this.#subscriptions].map(async (subscription) => {
      const { bounds, filter } = subscription.subscriber;
      const key = JSON.stringify([bounds.maxPrivacyLevel, filter.tabId, filter.extensionId]);
      const look = looks.get(key) ?? this.#currentOf(subscription.subscriber);
      looks.set(key, look);
      const context = await look;
      return () => this.#sendCurrent(subscription, context, position);
    });
    const sends = await Promise.all(found);
    return () => {
      for (const send of sends) send();
    };
  }

  #sendCurrent(subscription: Subscription, context: LiveContext | null, position: Position): void {
    const { subscriber, current: before, seen } = subscription;
    const current = hashOfCurrent(context);
    if (current === before || comparePositions(position, seen) <= 0) return;
    subscription.current = current;
    if (context && !matches(context, subscriber)) return;
    const id = toEventId(position);
    const frame: CurrentEvent = { type: "event", channel, id, event: "current.changed", at: toTimestamp(position.at), context };
    subscriber.send({ json: JSON.stringify(frame), id });
  }

  /**
   * The changes as they are sent. One whose context is deleted by now is left out: its removal follows.
   * @param next the change that comes after them; pages of changes end with a revision
   */
  async #describe(changes: ChangesPage["changes"], next: ChangesPage["changes"][number] | undefined): Promise<SentChange[]> {
    const { userId, contexts } = this.options;
    const ids = new Set(changes.filter(({ gone }) => !gone).map(({ contextId }) => contextId));
    const heads = ids.size > 0 ? await contexts.heads(userId, [...ids]) : new Map<string, ContextHead>();
    return changes.flatMap(({ kind, contextId, gone, position }, index): SentChange[] => {
      const isLast = (changes[index + 1] ?? next)?.position.revision !== position.revision;
      const id = toEventId(isLast ? { ...position, place: lastChangePlace } : position);
      const common = { type: "event", channel, id, at: toTimestamp(position.at) } as const;
      if (kind === "deleted") {
        if (!gone) return [];
        const frame: DeletedEvent = { ...common, event: "context.deleted", context: { contextId, ...gone } };
        return [{ position, about: gone, frame: { id, json: JSON.stringify(frame) } }];
      }
      const head = heads.get(contextId);
      if (!head) return [];
      const frame: ContextEvent = { ...common, event: `context.${kind}`, context: toLiveContext(head) };
      return [{ position, about: head.context, frame: { id, json: JSON.stringify(frame) } }];
    });
  }

  async #currentOf({ bounds, filter: { tabId, extensionId } }: Subscriber): Promise<LiveContext | null> {
    const head = await this.options.contexts.currentHead(bounds, { tabId, extensionId });
    return head && toLiveContext(head);
  }
}

const resyncFrame: LiveErrorFrame = {
  type: "error",
  error: "resync_required",
  message: "Events after this id are no longer kept. Start again from the current state.",
};
const resync: Frame = { json: JSON.stringify(resyncFrame) };

function toLiveContext({ context, contentLength }: ContextHead): LiveContext {
  return { ...describeContext(context), contentLength };
}

function matches(about: Pick<GoneContext, "type" | "tabId" | "extensionId">, { filter }: Subscriber): boolean {
  const names = ["type", "tabId", "extensionId"] as const;
  return names.every((name) => filter[name] === undefined || filter[name] === about[name]);
}

/** Stands for a current context; the times of its views do not count. */
function hashOfCurrent(context: LiveContext | null): string {
  if (!context) return "none";
  const { viewedAt: _viewedAt, lastSeenAt: _lastSeenAt, ...rest } = context;
  return hash("sha1", JSON.stringify(rest), "base64");
}
