import { randomUUID } from "node:crypto";
import type { Enqueued, NewMessage } from "@periscope/sync/core";
import type { Oracle } from "./oracle.ts";

/** What the server has of what was handed in. */
export interface Audit {
  /** Messages that were said to be queued. */
  messages: number;
  /** Of those, the ones that the server lacks, or has with another content. */
  losses: number;
  /** Contents that the server has more than once, ids of which it keeps more than one outcome, and contents that were never kept. */
  duplicates: number;
}

/** The book of what a queue was given, beside which the server's database is laid. */
export class Ledger {
  /** By content; undefined when no answer came: kept or not, both are right, but not twice. */
  readonly #outcomes = new Map<string, Enqueued | undefined>();
  #count = 0;

  /** @param scope stands at the beginning of each content */
  constructor(readonly scope: string) {}

  /**
   * A page that is not yet handed in. Each has a content of its own, and an id, as pages give one to what they hand in: a
   * message that reaches two workers, since the first died of it, is known as one.
   */
  message({ size = 0 } = {}): NewMessage & { type: "create" } {
    this.#count += 1;
    const content = `${this.scope}: ${this.#count}. The keeper lights the lamp at dusk. ${words(size)}`.trim();
    const tabMetadata = { id: "7", url: `https://articles.example/${this.scope}/${this.#count}`, title: `Lighthouses ${this.#count}` };
    const context = { type: "page", tabId: "7", capturedAt: new Date().toISOString(), content, tabMetadata } as const;
    return { type: "create", id: randomUUID(), payload: { context } };
  }

  /** Writes down what became of a message. */
  note(message: NewMessage & { type: "create" }, outcome: Enqueued | undefined): void {
    this.#outcomes.set(message.payload.context.content ?? "", outcome);
  }

  /** Ids that were said to be queued, in order. */
  queued(): string[] {
    return [...this.#outcomes.values()].flatMap((outcome) => (outcome?.status === "queued" ? [outcome.id] : []));
  }

  /** Compares with what the server has, by content and id. */
  audit(oracle: Oracle): Audit {
    const stored = Map.groupBy(oracle.contexts(`${this.scope}: `), ({ content }) => content);
    const audit: Audit = { messages: 0, losses: 0, duplicates: 0 };
    for (const [content, outcome] of this.#outcomes) {
      const count = stored.get(content)?.length ?? 0;
      audit.duplicates += Math.max(0, count - 1);
      if (outcome === undefined) continue;
      if (outcome.status !== "queued") {
        // It was said not to be kept.
        audit.duplicates += Math.min(1, count);
        continue;
      }
      audit.messages += 1;
      if (count === 0 || oracle.outcomesOf(outcome.id) !== 1) audit.losses += 1;
    }
    for (const [content, contexts] of stored) if (!this.#outcomes.has(content)) audit.duplicates += contexts.length;
    return audit;
  }
}

/** A text that no database can make much shorter. */
function words(size: number): string {
  let text = "";
  while (text.length < size)
    text += `${Array.from({ length: 7 }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join("")} `;
  return text;
}
