import * as fc from "fast-check";
import { createMessage, deleteMessage, updateMessage } from "./messages.js";

/** A message, reduced to what decides which of two wins. */
export interface Move {
  kind: "create" | "update" | "delete" | "heartbeat";
  contextId: string;
  /** Seconds after noon. */
  at: number;
}

const noon = Date.parse("2026-01-31T12:00:00Z");
const timeOf = (at: number) => new Date(noon + at * 1000).toISOString();

/** The messages of some moves. Each writes its index. */
export function messagesOf(moves: readonly Move[]) {
  return moves.map(({ kind, contextId, at }, index) => {
    const head = { messageId: `m${index}`, timestamp: timeOf(at) };
    switch (kind) {
      case "create":
        return createMessage({ ...head, context: { id: contextId, title: `title ${index}`, content: `content ${index}` } });
      case "update":
        return updateMessage(contextId, index % 2 === 0 ? { title: `title ${index}` } : { content: `content ${index}` }, head);
      case "delete":
        return deleteMessage(contextId, head);
      case "heartbeat":
        return { id: head.messageId, type: "heartbeat", timestamp: head.timestamp, payload: { type: "heartbeat", contextId } };
    }
  });
}

interface ModelContext {
  title: string;
  content: string;
  writtenAt: number;
  lastSeenAt: number | undefined;
}

/** What the contract says about messages that arrive in this order: which succeed, and which contexts there are. */
export function expectedOf(moves: readonly Move[]) {
  const contexts = new Map<string, ModelContext>();
  const deleted = new Map<string, number>();
  const succeeds = moves.map(({ kind, contextId, at }, index) => {
    const stored = contexts.get(contextId);
    const isOld = stored ? at < stored.writtenAt : at < (deleted.get(contextId) ?? -Infinity);
    switch (kind) {
      case "create":
        if (!isOld) {
          deleted.delete(contextId);
          contexts.set(contextId, { title: `title ${index}`, content: `content ${index}`, writtenAt: at, lastSeenAt: stored?.lastSeenAt });
        }
        return true;
      case "update":
        if (!isOld && stored)
          Object.assign(stored, index % 2 === 0 ? { title: `title ${index}` } : { content: `content ${index}` }, { writtenAt: at });
        return stored !== undefined || isOld;
      case "delete":
        if (stored && isOld) return true;
        contexts.delete(contextId);
        deleted.set(contextId, Math.max(at, deleted.get(contextId) ?? at));
        return true;
      case "heartbeat":
        if (stored) stored.lastSeenAt = Math.max(at, stored.lastSeenAt ?? at);
        return true;
    }
  });
  const seen = ({ title, content, lastSeenAt }: ModelContext) => ({
    title,
    content,
    lastSeenAt: lastSeenAt === undefined ? undefined : timeOf(lastSeenAt),
  });
  return { succeeds, contexts: new Map([...contexts].map(([id, context]) => [id, seen(context)])) };
}

export const contextIds = ["a", "b", "c"] as const;

/** Moves over few contexts and few moments, so that many meet, also at equal times. */
export const anyMoves: fc.Arbitrary<Move[]> = fc.array(
  fc.record({
    kind: fc.constantFrom("create", "create", "update", "update", "delete", "heartbeat"),
    contextId: fc.constantFrom(...contextIds),
    at: fc.nat({ max: 9 }),
  }),
  { minLength: 1, maxLength: 24, size: "max" },
);

/** Creates and deletes at moments that all differ, and an order for them to arrive in. */
export const distinctMoves = fc
  .uniqueArray(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 16, size: "max" })
  .chain((moments) =>
    fc.tuple(
      ...moments.map((at) =>
        fc.record({
          kind: fc.constantFrom("create" as const, "create" as const, "delete" as const),
          contextId: fc.constantFrom(...contextIds),
          at: fc.constant(at),
        }),
      ),
    ),
  )
  .chain((moves: Move[]) => fc.record({ moves: fc.constant(moves), order: shuffled(moves.length) }));

/** An order of `count` things. */
export function shuffled(count: number): fc.Arbitrary<number[]> {
  const all = Array.from({ length: count }, (_, index) => index);
  return fc.shuffledSubarray(all, { minLength: count, maxLength: count });
}
