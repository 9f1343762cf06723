import { isAtMost, maxLevel, type PrivacyLevel } from "@periscope/privacy";
import { fitsTabMetadata, type SyncResult } from "@periscope/schemas";
import { type Captured, type CaptureOutcome, derived, type PrivacyFilter } from "../privacy/privacy-filter.js";
import { mergedCapture, searchPartsOf, toStored, withLevel } from "./capture.js";
import { filterPatch, fingerprint, isSameMessage } from "./fingerprint.js";
import { notCaptured, type Prepared, type PreparedOf } from "./message-preparation.js";
import { type Failure, failure, type Outcome } from "./sync-outcome.js";
import { toMillis, toTimestamp } from "../timestamps.js";
import type { WorkingSet } from "./working-set.js";

export interface EffectContext {
  userId: string;
  now: number;
  newContextId: () => string;
  filter: PrivacyFilter;
}

/** What a message did: its answer beside id, status and time; and the level and body its fingerprint is made of. */
interface Effect {
  ok: true;
  answer: Pick<SyncResult, "contextId" | "privacyLevel" | "reasons" | "redactions">;
  level: PrivacyLevel;
  body: unknown;
}

/** Applies one message to the working set, or answers it from the record when it has been processed before. */
export function applyMessage(prepared: Prepared, set: WorkingSet, context: EffectContext): Outcome {
  const { message, extensionId } = prepared;
  const { filter, now } = context;
  const key = { extensionId, messageId: message.id };
  const known = set.processed(key);
  if (known) {
    if (!isSameMessage(known.fingerprint, message, filter, bodyAt(prepared, known.privacyLevel, filter)))
      return failure(message.id, "message_id_reused", "id: this message id was used for another message; send this one under a new id.");
    return { ok: true, result: { ...(JSON.parse(known.result) as SyncResult), duplicate: true } };
  }
  const effect = effectOf(prepared, set, context);
  if (!effect.ok) return effect;
  const result: SyncResult = { messageId: message.id, status: "success", ...effect.answer, timestamp: toTimestamp(now) };
  set.remember({
    ...key,
    fingerprint: fingerprint(message, effect.body, filter.policy),
    privacyLevel: effect.level,
    result: JSON.stringify(result),
    processedAt: now,
  });
  return { ok: true, result };
}

function effectOf(prepared: Prepared, set: WorkingSet, context: EffectContext): Effect | Failure {
  switch (prepared.type) {
    case "create":
      return create(prepared, set, context);
    case "update":
      return update(prepared, set, context);
    case "delete":
      return remove(prepared, set);
    case "heartbeat":
      return heartbeat(prepared, set, context.now);
    case "config": {
      const { message, extensionId, config } = prepared;
      const at = toMillis(message.timestamp);
      set.seen({
        extensionId,
        lastSeenAt: Math.min(at, context.now),
        config: { json: derived(config, (settings) => JSON.stringify(settings)), at },
      });
      return done({}, config);
    }
    case "error": {
      const { message, extensionId, report } = prepared;
      set.report({ extensionId, ...report, occurredAt: toMillis(message.timestamp) });
      return done({}, report);
    }
  }
}

function create(prepared: PreparedOf<"create">, set: WorkingSet, context: EffectContext): Effect | Failure {
  const { message, capture, extensionId, outcome } = prepared;
  const contextId = message.payload.context.id ?? context.newContextId();
  const writtenAt = toMillis(message.timestamp);
  const stored = set.context(contextId);
  const filtered = keeping(stored?.privacyLevel, outcome, atLeast(prepared, stored?.privacyLevel ?? "public", context.filter));
  if (!filtered) return notCaptured(message.id, outcome.reasons);
  const { level } = filtered;
  const ignored = (answer: Effect["answer"]) => done(answer, filtered.context, level);
  if (stored && writtenAt < stored.writtenAt) return ignored({ contextId, privacyLevel: stored.privacyLevel });
  if (!stored && isBuried(set, contextId, writtenAt)) return ignored({ contextId });
  const { userId } = context;
  const search = (filtered === outcome && prepared.search) || searchPartsOf(capture, filtered, context.filter);
  set.put(toStored(capture, filtered, { userId, contextId, extensionId, writtenAt, ...search, lastSeenAt: stored?.lastSeenAt ?? null }));
  return done({ contextId, ...told(filtered) }, filtered.context, level);
}

function update(prepared: PreparedOf<"update">, set: WorkingSet, context: EffectContext): Effect | Failure {
  const { message, extensionId } = prepared;
  const { filter, userId } = context;
  const patch = message.payload.context;
  const contextId = patch.id;
  const writtenAt = toMillis(message.timestamp);
  const stored = set.context(contextId);
  if (!stored && !isBuried(set, contextId, writtenAt))
    return failure(message.id, "not_found", `payload.context.id: there is no context ${contextId}; create it first.`);
  if (!stored || writtenAt < stored.writtenAt) return ofPatch(prepared, { contextId }, stored?.privacyLevel ?? "private", filter);
  const merged = mergedCapture(stored, patch);
  if (!fitsTabMetadata(merged.input.tabMetadata))
    return failure(message.id, "validation_error", "payload.context.tabMetadata: exceeds its bound once merged; send smaller fields.");
  const outcome = filter.context(withLevel(merged, maxLevel(stored.privacyLevel, patch.privacyLevel ?? "public")).input);
  if (!outcome.captured) return notCaptured(message.id, outcome.reasons);
  const isKept = patch.privacyLevel !== undefined && !isAtMost(stored.privacyLevel, patch.privacyLevel);
  const filtered = isKept ? withReason(outcome, storedLevel) : outcome;
  const search = searchPartsOf(merged, filtered, filter);
  set.put(toStored(merged, filtered, { userId, contextId, extensionId, writtenAt, ...search, lastSeenAt: stored.lastSeenAt }));
  return ofPatch(prepared, { contextId, ...told(filtered) }, filtered.level, filter);
}

/** The effect of an update, recorded with its patch at `level`, which the patch on its own may exceed. */
function ofPatch(prepared: PreparedOf<"update">, answer: Effect["answer"], level: PrivacyLevel, filter: PrivacyFilter): Effect | Failure {
  const patch = patchAt(prepared, level, filter);
  return patch ? done(answer, patch.body, patch.level) : notCaptured(prepared.message.id, ["policy"]);
}

function patchAt({ message, patch }: PreparedOf<"update">, level: PrivacyLevel, filter: PrivacyFilter): PreparedOf<"update">["patch"] {
  return patch && isAtMost(level, patch.level) ? patch : filterPatch(message.payload.context, level, filter);
}

function remove({ message }: PreparedOf<"delete">, set: WorkingSet): Effect {
  const contextId = message.payload.context.id;
  const at = toMillis(message.timestamp);
  const stored = set.context(contextId);
  if (!stored || at >= stored.writtenAt) set.remove(contextId, at);
  return done({ contextId }, {});
}

function heartbeat({ message, extensionId }: PreparedOf<"heartbeat">, set: WorkingSet, now: number): Effect {
  const contextId = message.payload?.contextId;
  const at = toMillis(message.timestamp);
  set.seen({ extensionId, lastSeenAt: Math.min(at, now) });
  const stored = contextId === undefined ? null : set.context(contextId);
  if (stored && Math.min(at, now) > (stored.lastSeenAt ?? stored.capturedAt)) set.put({ ...stored, lastSeenAt: Math.min(at, now) });
  return done(stored ? { contextId: stored.contextId } : {}, {});
}

/** Reason of a level that is neither asked for nor the page's: what is stored is never lowered. */
const storedLevel = "stored:level";

const withReason = (filtered: Captured, reason: string): Captured => ({ ...filtered, reasons: [...filtered.reasons, reason] });

/** `filtered` with the reason why it is above what the message on its own came to. */
function keeping(stored: PrivacyLevel | undefined, own: CaptureOutcome, filtered: Captured | undefined): Captured | undefined {
  const isKept = stored !== undefined && filtered && own.captured && !isAtMost(stored, own.level);
  return isKept ? withReason(filtered, storedLevel) : filtered;
}

const done = (answer: Effect["answer"], body: unknown, level: PrivacyLevel = "private"): Effect => ({ ok: true, answer, level, body });

const told = ({ level, reasons, redactions }: Captured) => ({ privacyLevel: level, reasons, redactions });

function isBuried(set: WorkingSet, contextId: string, writtenAt: number): boolean {
  const deletedAt = set.deletedAt(contextId);
  return deletedAt !== undefined && writtenAt < deletedAt;
}

/** The context of a message filtered at no less than `level`; undefined when the policy does not capture it. */
function atLeast({ capture, outcome }: PreparedOf<"create">, level: PrivacyLevel, filter: PrivacyFilter): Captured | undefined {
  if (!outcome.captured || isAtMost(level, outcome.level)) return outcome.captured ? outcome : undefined;
  const again = filter.context(withLevel(capture, level).input);
  return again.captured ? again : undefined;
}

/** What the filter leaves of a message at exactly `level`; undefined when it cannot be brought to that level. */
function bodyAt(prepared: Prepared, level: PrivacyLevel, filter: PrivacyFilter): unknown {
  switch (prepared.type) {
    case "create": {
      const filtered = atLeast(prepared, level, filter);
      return filtered?.level === level ? filtered.context : undefined;
    }
    case "update": {
      const patch = patchAt(prepared, level, filter);
      return patch?.level === level ? patch.body : undefined;
    }
    case "config":
      return prepared.config;
    case "error":
      return prepared.report;
    case "delete":
    case "heartbeat":
      return {};
  }
}
