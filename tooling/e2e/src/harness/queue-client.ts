import type { Enqueued, FlushReport, QueueStatus, QueueStep } from "@periscope/sync/core";
import type { Page } from "puppeteer-core";
import type { Ended } from "../../extension/queue/driver.ts";
import type { Call, Order, Outcomes, Scope } from "../../extension/queue/orders.ts";
import { Ledger } from "./ledger.ts";
import { rowsOf } from "./raw-data.ts";
import type { ExtensionBrowser } from "@periscope/harness/extension-browser";
import type { Stage } from "./stage.ts";
import { waitUntil, within } from "@periscope/harness/wait-until";

let scopes = 0;

/** An error of a browser that is no more is the death that was asked for. */
const diedWith =
  (browser: ExtensionBrowser) =>
  (error: unknown): Ended => {
    if (!browser.isCrashed) throw error;
    return { died: String(error) };
  };

/** How a test is to fail, if it is to: a mistake in the queue. Set for a whole run by those who look whether a row can fail. */
export interface ClientOptions extends Partial<Scope> {
  /** What names the row in addresses and contents. */
  row: string;
}

/** A queue in the extension's worker, as a test drives it, and the ledger of what it was given. */
export class QueueClient {
  readonly scope: Scope;
  readonly ledger: Ledger;
  /** Milliseconds by which the queue's clock is ahead. */
  clockOffset = 0;

  constructor(
    readonly stage: Stage,
    { row, ...more }: ClientOptions,
  ) {
    scopes += 1;
    this.scope = { database: `${row}-${scopes}`, baseUrl: stage.proxy.baseUrl, apiKey: stage.key, ...more };
    this.ledger = new Ledger(`${row}.${scopes}`);
  }

  now(): number {
    return Date.now() + this.clockOffset;
  }

  /** What the worker, or the queue of a page, makes of a call; `undefined` when it died before. */
  async call<T extends Call>(call: T, { parkAt, page }: { parkAt?: QueueStep; page?: Page } = {}): Promise<Outcomes[T["do"]] | undefined> {
    const order: Order = { scope: this.scope, call, clockOffset: this.clockOffset, ...(parkAt && { parkAt }) };
    const asked =
      page === undefined
        ? this.stage.driver.evaluate((given) => window.ask(given), order)
        : page.evaluate((given) => window.run(given), order);
    const ended = await within<Ended>(`An answer to "${call.do}"`, asked.catch(diedWith(this.stage.browser)));
    if ("failed" in ended) throw new Error(ended.failed);
    return "outcome" in ended ? (ended.outcome as Outcomes[T["do"]]) : undefined;
  }

  /** A call that must be answered. */
  async ask<T extends Call>(call: T, page?: Page): Promise<Outcomes[T["do"]]> {
    const outcome = await this.call(call, page === undefined ? {} : { page });
    if (outcome === undefined) throw new Error(`The worker died at "${call.do}", which nobody asked it to.`);
    return outcome;
  }

  /** Hands in pages, and writes down what became of each. With `mayDie`, or where it stands still, the worker may die of it. */
  async enqueue(
    count: number,
    { size = 0, parkAt, page, mayDie }: { size?: number; parkAt?: QueueStep; page?: Page; mayDie?: boolean } = {},
  ): Promise<Enqueued[]> {
    const messages = Array.from({ length: count }, () => this.ledger.message({ size }));
    const outcomes = await this.call({ do: "enqueue", messages }, { ...(parkAt && { parkAt }), ...(page && { page }) });
    if (outcomes === undefined && parkAt === undefined && mayDie !== true)
      throw new Error("The worker died of messages, which nobody asked it to.");
    for (const [index, message] of messages.entries()) this.ledger.note(message, outcomes?.[index]);
    return outcomes ?? [];
  }

  /** Starts a call that stands still at a step, waits until it does, and ends the worker there. */
  async killAt(step: QueueStep, call: () => Promise<unknown>): Promise<void> {
    await this.stage.driver.evaluate(() => void (window.parked = []));
    const called = call();
    await waitUntil(`Standing still at ${step}`, () => this.stage.driver.evaluate((name) => window.parked.includes(name), step));
    await this.stage.browser.killWorker();
    await called;
  }

  async status(): Promise<QueueStatus> {
    return await this.ask({ do: "status" });
  }

  /** Flushes, and moves the queue's clock to where there is something to do again, until nothing waits. */
  async drain(rounds = 80): Promise<Omit<FlushReport, "endedBy" | "nextAt">> {
    const sum = { requests: 0, synced: 0, duplicates: 0, failed: 0 };
    for (let round = 1; round <= rounds; round += 1) {
      const { nextAt, endedBy, ...counts } = await this.ask({ do: "flush" });
      for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += counts[name];
      if (endedBy === "empty" && nextAt === null) return sum;
      this.clockOffset += Math.max(1, (nextAt ?? this.now()) - this.now());
    }
    throw new Error(`Something still waits after ${rounds} flushes: ${JSON.stringify(await this.status())}`);
  }

  /** Rows that wait, as they stand in the browser's database. */
  async rows(): Promise<{ id: string }[]> {
    return await rowsOf(this.stage.driver, this.scope.database, "heads");
  }

  /** Drains what is left, and compares the ledger with the server's database. */
  async settle(): Promise<ReturnType<Ledger["audit"]>> {
    await this.drain();
    const { waiting, bytes } = await this.status();
    const rows = await this.rows();
    if (waiting !== 0 || bytes !== 0 || rows.length !== 0)
      throw new Error(`The queue counts ${waiting} messages, ${bytes} bytes; ${rows.length} rows are there.`);
    return this.ledger.audit(this.stage.oracle);
  }
}
