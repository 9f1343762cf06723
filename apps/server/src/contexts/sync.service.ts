import { setTimeout as wait } from "node:timers/promises";
import { type BatchResult, limits, type SyncResult, UncheckedBatch, UserId } from "@periscope/schemas";
import type { Principal } from "../access/access.service.js";
import type { Clock } from "../deps.js";
import { DomainError, forbidden, unavailable } from "../domain-error.js";
import type { Metrics } from "../metrics/metrics.js";
import { isSameRules } from "../privacy/rules.store.js";
import type { UserFilter, UserFilters } from "../privacy/user-filters.js";
import { toTimestamp } from "../formats.js";
import { type ApplyOptions, applyMessages, storedTextMax, tooMuchStoredText } from "./apply.js";
import { acceptMessage, type AcceptedMessage } from "./intake.js";
import { invalidRequest } from "./issues.js";
import { countFailed, countOutcomes, type Failure, type Outcome, toDomainError, toItemResult } from "./outcome.js";
import { createBoundedFilter, type FilterWorkers, groupBySize, type Prepared, prepareMessages } from "./prepare.js";
import type { UserDataStore, WantedRows } from "./context.store.js";
import { createPause } from "../workers/pause.js";
import { PerUserQueue } from "../workers/per-user-queue.js";

/** Accepts what extensions sync. Bodies come unchecked: a bad item of a batch fails alone. */
export type SyncService = ReturnType<typeof createSyncService>;

export interface SyncServiceOptions {
  store: UserDataStore;
  filters: UserFilters;
  pool: FilterWorkers;
  metrics: Pick<Metrics, "sync" | "privacy">;
  clock: Clock;
}

/** Times that changes are worked out again because another process changed the user's data meanwhile, with growing waits between. */
const attemptsMax = 50;
const waitMsMax = 50;
/** Contexts whose stored text one part may read without its size being asked for: two sizes of content each. */
const uncountedMax = storedTextMax / limits.contentBytesMax;

export function createSyncService({ store, filters, pool, metrics, clock }: SyncServiceOptions) {
  const queue = new PerUserQueue();

  /** Intake, then part by part: nothing of the rest is in memory twice, and others write in between. */
  async function syncMessages(principal: Principal, raws: readonly unknown[], extensionId: string | undefined): Promise<Outcome[]> {
    const now = clock();
    const pause = createPause();
    const accepted: Array<AcceptedMessage | Failure> = [];
    for (const raw of raws) {
      accepted.push(acceptMessage(raw, { principal, extensionId, now }));
      await pause();
    }
    const outcomes: Outcome[] = [];
    for (const part of inParts(accepted)) outcomes.push(...(await syncPart(part, { principal, now, pause })));
    return outcomes;
  }

  /** Prepare, apply; again from prepare on when the user's rules change meanwhile. */
  async function syncPart(
    accepted: ReadonlyArray<AcceptedMessage | Failure>,
    { principal, now, pause }: Pick<ApplyOptions, "principal" | "now" | "pause">,
  ): Promise<Outcome[]> {
    const { userId } = principal;
    if (!accepted.some(({ ok }) => ok)) return accepted.filter((each) => !each.ok);
    const wanted = wantedRows(accepted.filter((each) => each.ok));

    for (;;) {
      const userFilter = await filters.of(userId);
      const bounded = createBoundedFilter({ filter: userFilter.filter, userId, pool });
      const prepared = await prepareMessages(accepted, bounded);
      const outcomes = await queue.run(userId, () => applyAndCommit(prepared, userFilter));
      if (outcomes) return outcomes;

      /** Undefined when the user has other rules by now. */
      async function applyAndCommit(messages: Array<Prepared | Failure>, { rulesVersion }: UserFilter): Promise<Outcome[] | undefined> {
        for (let attempt = 0; attempt < attemptsMax; attempt++) {
          if (wanted.updatedIds.length > uncountedMax && (await store.textBytes(userId, wanted.updatedIds)) > storedTextMax)
            throw tooMuchStoredText();
          const state = await store.load(userId, wanted);
          if (!state) throw new DomainError("unauthorized", "The user of this key has been deleted; use the key of another.");
          if (!isSameRules(state.rulesVersion, rulesVersion)) return undefined;
          const { outcomes, changes } = await applyMessages(messages, state, { principal, now, bounded, pause });
          if (await store.commit(userId, changes)) return outcomes;
          await wait(Math.min(10 * (attempt + 1), waitMsMax) * Math.random());
        }
        throw unavailable("Other requests keep changing this user's data; try again shortly.", 1);
      }
    }
  }

  async function syncAndCount(principal: Principal, raws: readonly unknown[], extensionId: string | undefined): Promise<Outcome[]> {
    try {
      const outcomes = await syncMessages(principal, raws, extensionId);
      countOutcomes(raws, outcomes, metrics);
      return outcomes;
    } catch (error) {
      countFailed(raws, error instanceof DomainError ? error.code : "internal_error", metrics);
      throw error;
    }
  }

  /** A batch whose envelope is checked. Throws `forbidden` when it names another user. */
  async function batch(principal: Principal, { id, userId, extensionId, messages }: UncheckedBatch): Promise<BatchResult> {
    requireOwnUser(principal, userId);
    const outcomes = await syncAndCount(principal, messages, extensionId);
    const timestamp = toTimestamp(clock());
    const synced = outcomes.filter((outcome) => outcome.ok).length;
    return {
      messageId: id,
      status: "partial",
      results: outcomes.map((outcome) => toItemResult(outcome, timestamp)),
      synced,
      failed: outcomes.length - synced,
    };
  }

  return {
    batch,

    /** One message of any type but `batch`. Throws the message's failure. */
    async single(principal: Principal, raw: Record<string, unknown>): Promise<SyncResult> {
      const [outcome] = await syncAndCount(principal, [raw], undefined);
      if (!outcome) throw new Error("a message without an outcome");
      if (!outcome.ok) throw toDomainError(outcome);
      return outcome.result;
    },

    /** A message of type `batch`, its messages beside `payload` or inside it. Throws `bad_request`, `forbidden`. */
    async batchMessage(principal: Principal, raw: Record<string, unknown>): Promise<BatchResult> {
      const { payload } = raw;
      const inside = typeof payload === "object" && payload !== null && "messages" in payload ? payload.messages : undefined;
      requireOwnUser(principal, UserId.safeParse(raw["userId"]).data);
      const envelope = UncheckedBatch.safeParse({ ...raw, messages: raw["messages"] ?? inside });
      if (envelope.success) return batch(principal, envelope.data);
      throw invalidRequest(envelope.error.issues);
    },
  };
}

function requireOwnUser(principal: Principal, userId: string | undefined): void {
  if (userId !== undefined && userId !== principal.userId)
    throw forbidden("userId: must be the user of the key; leave it out to use that.");
}

/** Text that is written in one transaction, in UTF-16 units; a longer one is alone. A batch of a hundred usual pages is one part. */
const partUnits = limits.contentBytesMax / 2;

/** Messages in parts. Each message has a result of its own, and one that is sent again is known. */
function inParts(messages: ReadonlyArray<AcceptedMessage | Failure>): Array<Array<AcceptedMessage | Failure>> {
  return groupBySize(messages, partUnits, (each) => {
    const payload = each.ok ? each.message.payload : undefined;
    return payload && "context" in payload && "content" in payload.context ? (payload.context.content?.length ?? 0) : 0;
  });
}

/** What messages may touch. */
function wantedRows(accepted: readonly AcceptedMessage[]): Required<WantedRows> {
  const contextIds = new Set<string>();
  const updatedIds = new Set<string>();
  for (const { message } of accepted) {
    if (message.type === "update") updatedIds.add(message.payload.context.id);
    const named =
      message.type === "heartbeat" ? message.payload?.contextId : "context" in message.payload ? message.payload.context.id : undefined;
    if (named !== undefined) contextIds.add(named);
  }
  const messages = accepted.map(({ extensionId, message }) => ({ extensionId, messageId: message.id }));
  return { messages, contextIds: [...contextIds], updatedIds: [...updatedIds] };
}
