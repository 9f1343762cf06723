import {
  type BatchResult,
  limits,
  type MessageType,
  type SyncResult,
  type UncheckedBatch,
  UncheckedBatchMessage,
  UserId,
} from "@periscope/schemas";
import type { Principal } from "../access/access.service.js";
import type { Clock } from "../deps.js";
import { badParameter, DomainError, forbidden, internalError } from "../domain-error.js";
import type { Metrics } from "../metrics/metrics.js";
import { isSameRules } from "../privacy/rules.store.js";
import type { UserFilters } from "../privacy/user-filters.js";
import { toTimestamp } from "../formats.js";
import { type ApplyOptions, applyMessages, storedTextMax, tooMuchStoredText } from "./apply.js";
import { acceptMessage, type AcceptedMessage, describeTimeAhead, isTimeAhead } from "./intake.js";
import { invalidRequest } from "./issues.js";
import { countFailed, countOutcomes, type Failure, failure, type Outcome, toRequestError, toItemResult } from "./outcome.js";
import { createBoundedFilter, type FilterWorkers, prepareMessages } from "./prepare.js";
import { changeUserData } from "./change-user-data.js";
import type { UserDataStore, UserState, WantedRows } from "./context.store.js";
import { createPause } from "../workers/pause.js";
import type { PerUserQueue } from "../workers/per-user-queue.js";

export interface SyncServiceOptions {
  store: UserDataStore;
  filters: UserFilters;
  pool: FilterWorkers;
  /** In which the syncs and deletions of a user take turns. */
  queue: Pick<PerUserQueue, "run">;
  metrics: Pick<Metrics, "sync" | "privacy">;
  clock: Clock;
  /** Called with why a batch was stored in part only. */
  onFailure: (userId: string, error: unknown) => void;
}

/** What the parts of a batch have in common. */
type Batch = Omit<ApplyOptions, "bounded">;

/** Accepts what extensions sync. Bodies come unchecked: a bad item of a batch fails alone. */
export function createSyncService({ store, filters, pool, queue, metrics, clock, onFailure }: SyncServiceOptions) {
  /** Intake, then part by part: nothing of the rest is in memory twice, and others write in between. Adds to `outcomes`. */
  async function syncMessages(
    { principal, raws, extensionId }: { principal: Principal; raws: readonly unknown[]; extensionId: string | undefined },
    outcomes: Outcome[],
  ): Promise<void> {
    const batch: Batch = { principal, now: clock(), pause: createPause(), reprocessed: 0 };
    const accepted: Array<AcceptedMessage | Failure> = [];
    for (const raw of raws) {
      accepted.push(acceptMessage(raw, { principal, extensionId, now: batch.now }));
      await batch.pause();
    }
    const { updatedIds } = wantedRows(accepted.filter((each) => each.ok));
    if (updatedIds.length > updatesMax && (await store.textBytes(principal, updatedIds)) > storedTextMax) throw tooMuchStoredText();
    try {
      for (const part of splitIntoParts(accepted)) outcomes.push(...(await syncPart(part, batch)));
    } catch (error) {
      if (!outcomes.some(({ ok }) => ok)) throw error;
      // What is stored is answered as stored; what is not may be sent again.
      const { message, cause } = error instanceof DomainError ? error : internalError(error);
      if (cause !== undefined) onFailure(principal.userId, cause);
      for (const each of accepted.slice(outcomes.length))
        outcomes.push(each.ok ? failure(each.message.id, "internal_error", message) : each);
    }
  }

  /** Prepare, apply; again from prepare on when the user's rules change meanwhile. */
  async function syncPart(accepted: ReadonlyArray<AcceptedMessage | Failure>, batch: Batch): Promise<Outcome[]> {
    const { userId } = batch.principal;
    if (!accepted.some(({ ok }) => ok)) return accepted.filter((each) => !each.ok);
    const wanted = wantedRows(accepted.filter((each) => each.ok));

    for (;;) {
      const userFilter = await filters.of(userId);
      const bounded = createBoundedFilter({ filter: userFilter.filter, userId, pool });
      const prepared = await prepareMessages(accepted, bounded);
      const apply = async (state: UserState | null) => {
        if (!state) throw new DomainError("unauthorized", "The user of this key has been deleted; use the key of another.");
        if (!isSameRules(state.rulesVersion, userFilter.rulesVersion)) return { result: undefined };
        const { changes, ...result } = await applyMessages(prepared, state, { ...batch, bounded });
        return { changes, result };
      };
      const applied = await queue.run(userId, () => changeUserData(store, userId, wanted, apply));
      // The user's rules have changed since they were read: filter again, by the new ones.
      if (!applied) continue;
      batch.reprocessed = applied.reprocessed;
      return applied.outcomes;
    }
  }

  async function syncAndCount(principal: Principal, raws: readonly unknown[], extensionId: string | undefined): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    try {
      await syncMessages({ principal, raws, extensionId }, outcomes);
      return outcomes;
    } catch (error) {
      countFailed(raws.slice(outcomes.length), error instanceof DomainError ? error.code : "internal_error", metrics);
      throw error;
    } finally {
      countOutcomes(raws, outcomes, metrics);
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
      if (!outcome.ok) throw toRequestError(outcome);
      return outcome.result;
    },

    /** A message of type `batch`, its messages beside `payload` or inside it. Throws `bad_request`, `forbidden`. */
    async batchMessage(principal: Principal, raw: Record<string, unknown>): Promise<BatchResult> {
      const { payload } = raw;
      const inside = typeof payload === "object" && payload !== null && "messages" in payload ? payload.messages : undefined;
      requireOwnUser(principal, UserId.safeParse(raw["userId"]).data);
      const envelope = UncheckedBatchMessage.safeParse({ ...raw, messages: raw["messages"] ?? inside });
      if (!envelope.success) throw invalidRequest(envelope.error.issues);
      const now = clock();
      if (isTimeAhead(envelope.data.timestamp, now)) throw badParameter("timestamp", describeTimeAhead(now));
      return batch(principal, envelope.data);
    },
  };
}

function requireOwnUser(principal: Principal, userId: string | undefined): void {
  if (userId !== undefined && userId !== principal.userId)
    throw forbidden("userId: must be the user of the key; leave it out to use that.");
}

/** Text that is written in one transaction, in UTF-16 units; a longer one is alone. A batch of a hundred usual pages is one part. */
const partUnits = limits.contentBytesMax / 2;
/** Contexts that are updated in one transaction at most: what is stored of them may be long. */
const updatesMax = 8;
/** What the first message of a part about a context counts at least. What writes a long context anew takes four times as long as deleting it. */
const firstUnitsMin: Partial<Record<MessageType, number>> = {
  update: partUnits / updatesMax,
  heartbeat: partUnits / updatesMax,
  delete: partUnits / updatesMax / 4,
};

/** Messages in parts. Each message has a result of its own, and one that is sent again is known. */
function splitIntoParts(messages: ReadonlyArray<AcceptedMessage | Failure>): Array<Array<AcceptedMessage | Failure>> {
  const parts: Array<Array<AcceptedMessage | Failure>> = [];
  const known = new Set<string>();
  let room = 0;
  for (const each of messages) {
    const [id, units, firstUnits] = weightOf(each);
    if (parts.length === 0 || (known.has(id) ? units : firstUnits) > room) {
      parts.push([]);
      known.clear();
      room = partUnits;
    }
    room -= known.has(id) ? units : firstUnits;
    known.add(id);
    parts.at(-1)?.push(each);
  }
  return parts;
}

/** The context of a message, and what the message counts: its text in UTF-16 units, or more as the first about its context in a part. */
function weightOf(each: AcceptedMessage | Failure): [id: string, units: number, firstUnits: number] {
  if (!each.ok) return ["", 0, 0];
  const { type, payload } = each.message;
  const id = contextIdOf(each.message) ?? "";
  const units = payload && "context" in payload && "content" in payload.context ? (payload.context.content?.length ?? 0) : 0;
  return [id, units, Math.max(units, firstUnitsMin[type] ?? 0)];
}

/** The context that a message names. A new one may have no id yet, and a heartbeat may be about none. */
function contextIdOf({ type, payload }: AcceptedMessage["message"]): string | undefined {
  if (type === "heartbeat") return payload?.contextId;
  return "context" in payload ? payload.context.id : undefined;
}

function wantedRows(accepted: readonly AcceptedMessage[]): Required<WantedRows> {
  const contextIds = new Set<string>();
  const updatedIds = new Set<string>();
  for (const { message } of accepted) {
    if (message.type === "update") updatedIds.add(message.payload.context.id);
    const named = contextIdOf(message);
    if (named !== undefined) contextIds.add(named);
  }
  const messages = accepted.map(({ extensionId, message }) => ({ extensionId, messageId: message.id }));
  return { messages, contextIds: [...contextIds], updatedIds: [...updatedIds] };
}
