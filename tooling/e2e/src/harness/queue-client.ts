import { randomBytes } from "node:crypto";
import { waitUntil, within } from "@periscope/harness/wait-until";
import type { Enqueued, FlushReport, QueueStatus, QueueStep } from "@periscope/sync/core";
import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import type { Answer, Calls, Order, Scope } from "../../extension/queue/run-order.ts";
import { Ledger } from "./ledger.ts";
import { headsOf } from "./raw-data.ts";
import { type Stage, testOn } from "./stage.ts";

type Outcome<Name extends keyof Calls> = Awaited<ReturnType<Calls[Name]>>;

/** How a call is made. */
interface CallOptions<Name extends keyof Calls> {
  input?: Order<Name>["input"];
  /** Where the queue stands still. */
  parkAt?: QueueStep;
  /** A page that runs a queue of its own, in place of the worker. */
  page?: Page | undefined;
}

/** A queue in the extension's worker, as a test drives it, and the ledger of what it was given. */
export class QueueClient {
  readonly scope: Scope;
  readonly ledger: Ledger;
  /** Milliseconds by which the queue's clock is ahead. */
  clockOffset = 0;

  constructor(
    readonly stage: Stage,
    more: Partial<Scope>,
  ) {
    // Of letters: digits can look like the number of an identity card, which the server removes.
    const name = Buffer.from(randomBytes(8).map((byte) => 97 + (byte % 26))).toString();
    this.scope = { database: name, baseUrl: stage.proxy.baseUrl, apiKey: stage.server.key, ...more };
    this.ledger = new Ledger(name);
  }

  now(): number {
    return Date.now() + this.clockOffset;
  }

  /** What the worker, or the queue of a page, makes of a call; `undefined` when it died before. */
  async call<Name extends keyof Calls>(name: Name, { page, ...more }: CallOptions<Name> = {}): Promise<Outcome<Name> | undefined> {
    const { browser, panel } = this.stage;
    const order: Order<Name> = { scope: this.scope, call: name, clockOffset: this.clockOffset, ...more };
    const asked: Promise<Answer | undefined> =
      page === undefined ? panel.evaluate((given) => window.ask(given), order) : page.evaluate((given) => window.run(given), order);
    const answered = asked.catch((error: unknown) => {
      // An error of a browser that is no more is the death that was asked for.
      if (!browser.isCrashed) throw error;
      return undefined;
    });
    const answer = await within(`An answer to "${name}"`, answered);
    if (answer !== undefined && "failed" in answer) throw new Error(answer.failed);
    return answer?.outcome as Outcome<Name> | undefined;
  }

  /** A call that must be answered. */
  async ask<Name extends keyof Calls>(name: Name, options?: CallOptions<Name>): Promise<Outcome<Name>> {
    const outcome = await this.call(name, options);
    if (outcome === undefined) throw new Error(`The worker died at "${name}", which nobody asked it to.`);
    return outcome;
  }

  /** Hands in pages, and writes down what became of each. With `mayDie`, or where it stands still, the worker may die of it. */
  async enqueue(
    count: number,
    { size = 0, mayDie = false, ...options }: { size?: number; parkAt?: QueueStep; page?: Page; mayDie?: boolean } = {},
  ): Promise<Enqueued[]> {
    const messages = Array.from({ length: count }, () => this.ledger.message(size));
    const given = { ...options, input: messages };
    const outcomes = await (mayDie || options.parkAt !== undefined ? this.call("enqueue", given) : this.ask("enqueue", given));
    for (const [index, message] of messages.entries()) this.ledger.note(message, outcomes?.[index]);
    return outcomes ?? [];
  }

  /** Starts a call that stands still at a step, waits until it does, and ends the worker there. */
  async killAt(step: QueueStep, call: () => Promise<unknown>): Promise<void> {
    await this.stage.panel.evaluate(() => void (window.parked = []));
    const called = call();
    await waitUntil(`Standing still at ${step}`, () => this.stage.panel.evaluate((name) => window.parked.includes(name), step));
    await this.stage.browser.killWorker();
    await called;
  }

  async status(): Promise<QueueStatus> {
    return await this.ask("status");
  }

  /** Flushes, and moves the queue's clock to where there is something to do again, until nothing waits. */
  async drain(rounds = 80): Promise<Omit<FlushReport, "endedBy" | "nextAt">> {
    const sum = { requests: 0, synced: 0, duplicates: 0, failed: 0 };
    for (let round = 1; round <= rounds; round += 1) {
      const { nextAt, endedBy, ...counts } = await this.ask("flush");
      for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += counts[name];
      if (endedBy === "empty" && nextAt === null) return sum;
      this.clockOffset += Math.max(1, (nextAt ?? this.now()) - this.now());
    }
    return expect.unreachable(`Something still waits after ${rounds} flushes: ${JSON.stringify(await this.status())}`);
  }

  /** Messages that wait, as they stand in the browser's database. */
  async rows(): Promise<{ id: string }[]> {
    return await headsOf(this.stage.panel, this.scope.database);
  }
}

/** Drains what is left, and compares the ledger with the server's database: nothing may be lost or doubled. */
export async function settle(queue: QueueClient): Promise<void> {
  await queue.drain();
  const { waiting, bytes } = await queue.status();
  expect({ waiting, bytes, rows: await queue.rows() }).toEqual({ waiting: 0, bytes: 0, rows: [] });
  expect(queue.ledger.problems(queue.stage.oracle)).toEqual([]);
}

/** `test` on a stage with the queue's core, and with queues of the row's own. */
export const test = testOn("queue").extend(
  "client",
  ({ stage }) =>
    (scope: Partial<Scope> = {}) =>
      new QueueClient(stage, scope),
);
