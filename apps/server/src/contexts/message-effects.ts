import { isAtMost, maxLevel, type PrivacyLevel } from "@periscope/privacy";
import { fitsTabMetadata, type SyncResult } from "@periscope/schemas";
import type { PrivacyFilter } from "../deps.js";
import { type Filtered, mergedCapture, toStored, withLevel } from "./capture.js";
import { createPayload, fingerprint, patchPayload } from "./fingerprint.js";
import { notCaptured, type Prepared, type PreparedOf } from "./message-preparation.js";
import { type Failure, failure, type Outcome } from "./sync-outcome.js";
import { toMillis, toTimestamp } from "./timestamps.js";
import type { WorkingSet } from "./working-set.js";

export interface EffectContext {
  userId: string;
  now: number;
  newContextId: () => string;
  filter: PrivacyFilter;
}

/** What a message did: its answer beside id, status and time; and the level and payload its fingerprint is made of. */
interface Effect {
  ok: true;
  answer: Pick<SyncResult, "contextId" | "privacyLevel" | "reasons" | "redactions">;
  level: PrivacyLevel;
  payload: unknown;
}

/** Applies one message to the working set, or answers it from the record when it has been processed before. */
export function applyMessage(prepared: Prepared, set: WorkingSet, context: EffectContext): Outcome {
  const { message, extensionId } = prepared;
  const key = { extensionId, messageId: message.id };
  const known = set.processed(key);
  if (known) {
    const payload = payloadAt(prepared, known.privacyLevel, context.filter);
    if (payload !== unknowable && fingerprint(message, payload) !== known.fingerprint)
      return failure(message.id, "message_id_reused", "id: this message id was used for another message; send this one under a new id.");
    return { ok: true, result: { ...(JSON.parse(known.result) as SyncResult), duplicate: true } };
  }
  const effect = effectOf(prepared, set, context);
  if (!effect.ok) return effect;
  const result: SyncResult = { messageId: message.id, status: "success", ...effect.answer, timestamp: toTimestamp(context.now) };
  set.remember({
    ...key,
    fingerprint: fingerprint(message, effect.payload),
    privacyLevel: effect.level,
    result: JSON.stringify(result),
    processedAt: context.now,
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
      set.seen({ extensionId, lastSeenAt: Math.min(at, context.now), config: { json: JSON.stringify(config), at } });
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
  const { message, capture, extensionId } = prepared;
  const sent = message.payload.context.id;
  const contextId = sent ?? context.newContextId();
  const writtenAt = toMillis(message.timestamp);
  const stored = set.context(contextId);
  const filtered = stored ? atLeast(prepared, stored.privacyLevel, context.filter) : prepared.filtered;
  if (!filtered) return notCaptured(message.id, ["policy"]);
  const { level } = filtered;
  const payload = createPayload(sent, capture, filtered);
  if (stored && writtenAt < stored.writtenAt) return done({ contextId, privacyLevel: stored.privacyLevel }, payload, level);
  if (!stored && isBuried(set, contextId, writtenAt)) return done({ contextId }, payload, level);
  const { userId } = context;
  set.put(toStored(capture, filtered, { userId, contextId, extensionId, writtenAt, lastSeenAt: stored?.lastSeenAt ?? null }));
  return done({ contextId, ...told(filtered) }, payload, level);
}

function update({ message, extensionId }: PreparedOf<"update">, set: WorkingSet, context: EffectContext): Effect | Failure {
  const { filter, userId } = context;
  const patch = message.payload.context;
  const contextId = patch.id;
  const writtenAt = toMillis(message.timestamp);
  const stored = set.context(contextId);
  const ignored = (level: PrivacyLevel) => done({ contextId }, patchPayload(patch, level, filter), level);
  if (!stored) {
    if (isBuried(set, contextId, writtenAt)) return ignored(maxLevel("private", patch.privacyLevel ?? "private"));
    return failure(message.id, "not_found", `payload.context.id: there is no context ${contextId}; create it first.`);
  }
  if (writtenAt < stored.writtenAt) return ignored(maxLevel(stored.privacyLevel, patch.privacyLevel ?? "public"));
  const merged = mergedCapture(stored, patch);
  if (!fitsTabMetadata(merged.input.tabMetadata))
    return failure(message.id, "validation_error", "payload.context.tabMetadata: exceeds its bound once merged; send smaller fields.");
  const filtered = filter.context(withLevel(merged, maxLevel(stored.privacyLevel, patch.privacyLevel ?? "public")).input);
  if (!filtered.captured) return notCaptured(message.id, filtered.reasons);
  set.put(toStored(merged, filtered, { userId, contextId, extensionId, writtenAt, lastSeenAt: stored.lastSeenAt }));
  return done({ contextId, ...told(filtered) }, patchPayload(patch, filtered.level, filter), filtered.level);
}

function remove({ message }: PreparedOf<"delete">, set: WorkingSet): Effect {
  const contextId = message.payload.context.id;
  const at = toMillis(message.timestamp);
  const stored = set.context(contextId);
  if (!stored || at >= stored.writtenAt) set.remove(contextId, at);
  return done({ contextId }, { id: contextId });
}

function heartbeat({ message, extensionId }: PreparedOf<"heartbeat">, set: WorkingSet, now: number): Effect {
  const { contextId, tabId } = message.payload ?? {};
  const at = toMillis(message.timestamp);
  set.seen({ extensionId, lastSeenAt: Math.min(at, now) });
  const stored = contextId === undefined ? null : set.context(contextId);
  if (stored && at > (stored.lastSeenAt ?? stored.capturedAt)) set.put({ ...stored, lastSeenAt: at });
  return done(stored ? { contextId: stored.contextId } : {}, { contextId, tabId });
}

const done = (answer: Effect["answer"], payload: unknown, level: PrivacyLevel = "private"): Effect => ({
  ok: true,
  answer,
  level,
  payload,
});

const told = ({ level, reasons, redactions }: Filtered) => ({ privacyLevel: level, reasons, redactions });

function isBuried(set: WorkingSet, contextId: string, writtenAt: number): boolean {
  const deletedAt = set.deletedAt(contextId);
  return deletedAt !== undefined && writtenAt < deletedAt;
}

/** The message filtered at no less than `level`; undefined when the policy no longer captures it. */
function atLeast({ capture, filtered }: PreparedOf<"create">, level: PrivacyLevel, filter: PrivacyFilter): Filtered | undefined {
  if (isAtMost(level, filtered.level)) return filtered;
  const again = filter.context(withLevel(capture, level).input);
  return again.captured ? again : undefined;
}

/** The policy has been raised since: the message cannot be brought to the level it was recorded at, and passes for the same. */
const unknowable = Symbol("unknowable");

function payloadAt(prepared: Prepared, level: PrivacyLevel, filter: PrivacyFilter): unknown {
  switch (prepared.type) {
    case "create": {
      const filtered = atLeast(prepared, level, filter);
      if (filtered?.level !== level) return unknowable;
      return createPayload(prepared.message.payload.context.id, prepared.capture, filtered);
    }
    case "update":
      return patchPayload(prepared.message.payload.context, level, filter);
    case "delete":
      return { id: prepared.message.payload.context.id };
    case "heartbeat": {
      const { contextId, tabId } = prepared.message.payload ?? {};
      return { contextId, tabId };
    }
    case "config":
      return prepared.config;
    case "error":
      return prepared.report;
  }
}
