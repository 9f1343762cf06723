import { type BatchResult, type SyncResult, UncheckedBatch, UserId } from "@periscope/schemas";
import type { Principal } from "../access/access.service.js";
import type { Clock } from "../deps.js";
import { badRequest, DomainError, forbidden } from "../domain-error.js";
import type { Metrics } from "../metrics/metrics.js";
import { isSameEdition } from "../privacy/rules.store.js";
import type { UserFilters } from "../privacy/user-filters.js";
import { countFailed, countOutcomes } from "./count-outcomes.js";
import { firstOf, toDetails } from "./issues.js";
import { applyMessage } from "./message-effects.js";
import { type Accepted, takeIn } from "./message-intake.js";
import { type Prepared, prepareAll, type Turn } from "./message-preparation.js";
import type { Preparer } from "./preparer.js";
import type { SyncStore, SyncTransaction } from "./sync.store.js";
import { type Failure, type Outcome, toDomainError, toItemResult } from "./sync-outcome.js";
import { toTimestamp } from "../timestamps.js";
import { WorkingSet } from "./working-set.js";

/** Taking in what extensions sync. Bodies come unchecked: a bad item of a batch fails alone. */
export interface SyncService {
  /** One message of any type but `batch`. Throws the message's failure. */
  single(principal: Principal, raw: Record<string, unknown>): Promise<SyncResult>;
  /** A message of type `batch`, its messages beside `payload` or inside it. Throws `bad_request`, `forbidden`. */
  batchMessage(principal: Principal, raw: Record<string, unknown>): Promise<BatchResult>;
  /** A batch whose envelope is checked. Throws `forbidden` when it names another user. */
  batch(principal: Principal, envelope: UncheckedBatch): Promise<BatchResult>;
}

export interface SyncServiceOptions {
  store: SyncStore;
  filters: UserFilters;
  preparer: Preparer;
  metrics: Pick<Metrics, "sync" | "privacy">;
  clock: Clock;
  newContextId: () => string;
}

// Filtering a large batch takes long: other requests get their turn at least this often.
const turnMs = 10;

/** To be awaited in a loop: gives other events their turn when this one has had its time. */
function takeTurns(): Turn {
  let turnEnds = performance.now() + turnMs;
  return () => {
    if (performance.now() < turnEnds) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        turnEnds = performance.now() + turnMs;
        resolve();
      });
    });
  };
}

export function createSyncService({ store, filters, preparer, metrics, clock, newContextId }: SyncServiceOptions): SyncService {
  async function process(principal: Principal, raws: readonly unknown[], extensionId: string | undefined): Promise<Outcome[]> {
    const now = clock();
    const turn = takeTurns();
    const { userId } = principal;
    for (;;) {
      const { filter, edition } = await filters.of(userId);
      const taken: Array<Accepted | Failure> = [];
      for (const raw of raws) {
        taken.push(takeIn(raw, { principal, extensionId, now }));
        await turn();
      }
      const intakes = await prepareAll(taken, filter, { preparer, turn });
      const prepared = intakes.filter((intake) => intake.ok);
      if (prepared.length === 0) return intakes.filter((intake) => !intake.ok);
      const done = await store.transact(userId, async (transaction) => {
        // Asked together, where that saves a trip to the database.
        const [current, set] = await Promise.all([transaction.rulesEdition(), load(transaction, prepared)]);
        // Rules that were set while the messages were filtered hold for them already.
        if (!isSameEdition(current, edition)) return undefined;
        const outcomes: Outcome[] = [];
        for (const intake of intakes) {
          outcomes.push(intake.ok ? applyMessage(intake, set, { userId, now, newContextId, filter }) : intake);
          await turn();
        }
        await transaction.write(set.changes(), now, filter.policy);
        return outcomes;
      });
      if (done) return done;
    }
  }

  async function counted(principal: Principal, raws: readonly unknown[], extensionId: string | undefined): Promise<Outcome[]> {
    try {
      const outcomes = await process(principal, raws, extensionId);
      countOutcomes(raws, outcomes, metrics);
      return outcomes;
    } catch (error) {
      countFailed(raws, error instanceof DomainError ? error.code : "internal_error", metrics);
      throw error;
    }
  }

  async function batch(principal: Principal, { id, userId, extensionId, messages }: UncheckedBatch): Promise<BatchResult> {
    if (userId !== undefined && userId !== principal.userId)
      throw forbidden("userId: must be the user of the key; leave it out to use that.");
    const outcomes = await counted(principal, messages, extensionId);
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

    async single(principal, raw) {
      const [outcome] = await counted(principal, [raw], undefined);
      if (!outcome) throw new Error("a message without an outcome");
      if (!outcome.ok) throw toDomainError(outcome);
      return outcome.result;
    },

    async batchMessage(principal, raw) {
      const { payload } = raw;
      const inside = typeof payload === "object" && payload !== null && "messages" in payload ? payload.messages : undefined;
      const owner = UserId.safeParse(raw["userId"]);
      if (owner.success && owner.data !== principal.userId)
        throw forbidden("userId: must be the user of the key; leave it out to use that.");
      const envelope = UncheckedBatch.safeParse({ ...raw, messages: raw["messages"] ?? inside });
      if (envelope.success) return batch(principal, envelope.data);
      const details = toDetails(envelope.error.issues);
      throw badRequest(firstOf(details), details);
    },
  };
}

/** All that the messages may meet, asked for together. What messages name that were processed before is rarely much. */
async function load(transaction: SyncTransaction, prepared: readonly Prepared[]): Promise<WorkingSet> {
  const keys = prepared.map(({ extensionId, message }) => ({ extensionId, messageId: message.id }));
  const contextIds = [...new Set(prepared.map(contextIdOf).filter((contextId) => contextId !== undefined))];
  const hasIds = contextIds.length > 0;
  const [processed, rows, tombstones] = await Promise.all([
    transaction.processed(keys),
    hasIds ? transaction.contexts(contextIds) : [],
    hasIds ? transaction.tombstones(contextIds) : new Map<string, number>(),
  ]);
  const set = new WorkingSet();
  set.addKnown(processed);
  set.addRows(rows, tombstones);
  return set;
}

function contextIdOf({ type, message }: Prepared): string | undefined {
  switch (type) {
    case "create":
    case "update":
    case "delete":
      return message.payload.context.id;
    case "heartbeat":
      return message.payload?.contextId;
    case "config":
    case "error":
      return undefined;
  }
}
