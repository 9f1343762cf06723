import { randomBytes, randomUUID } from "node:crypto";
import type { Enqueued, NewMessage } from "@periscope/sync/core";
import type { Oracle } from "./oracle.ts";

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
  message(size = 0): NewMessage & { type: "create" } {
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

  /**
   * What is lost or doubled: queued messages that are not stored exactly once or have not exactly one outcome, others that are stored
   * twice, and stored ones that the queue never kept.
   */
  problems(oracle: Oracle): string[] {
    const stored = Map.groupBy(oracle.contexts(`${this.scope}: `), ({ content }) => content);
    const isRight = (content: string): boolean => {
      const count = stored.get(content)?.length ?? 0;
      const outcome = this.#outcomes.get(content);
      if (outcome?.status === "queued") return count === 1 && oracle.outcomesOf(outcome.id) === 1;
      return outcome === undefined && this.#outcomes.has(content) ? count <= 1 : count === 0;
    };
    const contents = new Set([...this.#outcomes.keys(), ...stored.keys()]);
    return [...contents]
      .filter((content) => !isRight(content))
      .map((content) => `${content.slice(0, 60)} × ${stored.get(content)?.length ?? 0}`);
  }
}

/** A text that no database can make much shorter. */
function words(size: number): string {
  const letters = randomBytes(size).map((byte) => 97 + (byte % 26));
  return Buffer.from(letters)
    .toString("latin1")
    .replaceAll(/(.{7})./g, "$1 ");
}
