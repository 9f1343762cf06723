import { setTimeout as pause } from "node:timers/promises";
import { createMessage, deleteMessage, updateMessage } from "./messages.js";
import type { TestClient } from "./test-client.js";

/** A message that was sent, and its result when one arrived: without one nobody knows whether it took effect. */
export interface Sent {
  contextId: string;
  message: Record<string, unknown>;
  /** Content of the context after it; undefined once it is deleted. */
  content: string | undefined;
  result?: Record<string, unknown>;
}

/** What several writers have sent in one life of a server. */
export class CrashLedger {
  readonly sent: Sent[] = [];

  /** @param word is in every content that is written, and nowhere else */
  constructor(readonly word: string) {}

  /** Writes one message after the other until the server is gone: creates, and updates and deletes of what was created. */
  async writeSingly(client: TestClient): Promise<void> {
    const own: string[] = [];
    for (;;) {
      const contextId = Math.random() < 0.5 ? own[Math.floor(Math.random() * own.length)] : undefined;
      const entry = this.#next(contextId, contextId === undefined ? "create" : Math.random() < 0.7 ? "update" : "delete");
      const answer = await client.syncUntilTaken(entry.message).catch(() => undefined);
      if (!answer) return;
      if (answer.status !== 201) throw new Error(`a sync was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      entry.result = answer.body;
      if (contextId === undefined) own.push(entry.contextId);
      else if (entry.content === undefined) own.splice(own.indexOf(contextId), 1);
    }
  }

  /** Writes batches of creates until the server is gone. */
  async writeBatches(client: TestClient): Promise<void> {
    for (;;) {
      const entries = Array.from({ length: 1 + Math.floor(Math.random() * 12) }, () => this.#next());
      const answer = await client.batch(entries.map(({ message }) => message)).catch(() => undefined);
      if (!answer) return;
      if (answer.body.failed !== 0) throw new Error(`a batch was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      entries.forEach((entry, index) => (entry.result = answer.body.results[index]));
      await pause(1);
    }
  }

  #next(contextId?: string, kind: "create" | "update" | "delete" = "create"): Sent {
    const count = this.sent.length;
    const id = contextId ?? `${this.word}-${count}`;
    // Long enough for several pages of the database, so that there is something to write by halves.
    const content = `${this.word} number ${count} ${"lighthouse keepers kept the lamp ".repeat(Math.floor(Math.random() * 400))}`;
    const head = { messageId: `${this.word}-${count}`, timestamp: new Date(Date.parse("2026-01-31T12:00:00Z") + count).toISOString() };
    const entry: Sent =
      kind === "delete"
        ? { contextId: id, content: undefined, message: deleteMessage(id, head) }
        : kind === "update"
          ? { contextId: id, content, message: updateMessage(id, { content }, head) }
          : { contextId: id, content, message: createMessage({ ...head, context: { id, content, privacyLevel: "public" } }) };
    this.sent.push(entry);
    return entry;
  }
}
