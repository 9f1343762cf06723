import { type CallOptions, type NewMessage, type Periscope } from "../src/index.js";
import { batchAnswer, contextAnswer, historyAnswer, searchAnswer, syncAnswer } from "./answers.js";
import { answers, empty, type Received, type Reply } from "./scripted-service.js";

/** A method of the client as faults are tried on it. */
export interface TriedCall {
  name: string;
  run: (periscope: Periscope, options?: CallOptions) => PromiseLike<unknown>;
  /** What the service answers when all is well. */
  succeeds: Reply;
}

const newMessage: NewMessage = { type: "heartbeat" };

/** Answers a batch: each of its messages is stored. */
export const storesBatch: Reply = (received) => {
  const results = messageIds(received).map((messageId) => ({
    messageId,
    status: "success" as const,
    timestamp: "2026-01-31T12:00:00.000Z",
  }));
  return answers(207, batchAnswer({ results, synced: results.length, failed: 0 }))(received);
};

/** Ids of the messages of a batch. */
export function messageIds({ body }: Received): string[] {
  return (JSON.parse(body) as { messages: { id: string }[] }).messages.map(({ id }) => id);
}

/** Every method. `syncAll` rejects with what stopped it, as the others do. */
export const calls: readonly TriedCall[] = [
  { name: "current", run: (periscope, options) => periscope.current({}, options), succeeds: answers(200, contextAnswer()) },
  { name: "history", run: (periscope, options) => periscope.history({}, options), succeeds: answers(200, historyAnswer()) },
  { name: "search", run: (periscope, options) => periscope.search("lamp", options), succeeds: answers(200, searchAnswer()) },
  { name: "get", run: (periscope, options) => periscope.get("ctx_1", {}, options), succeeds: answers(200, contextAnswer()) },
  { name: "delete", run: (periscope, options) => periscope.delete("ctx_1", options), succeeds: empty(204) },
  { name: "sync", run: (periscope, options) => periscope.sync(newMessage, options), succeeds: answers(201, syncAnswer()) },
  {
    name: "syncAll",
    async run(periscope, options) {
      const outcome = await periscope.syncAll([newMessage], options);
      if (outcome.stoppedBy !== null) throw outcome.stoppedBy;
      return outcome.throwIfFailed();
    },
    succeeds: storesBatch,
  },
];
