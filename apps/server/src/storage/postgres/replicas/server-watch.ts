import pg from "pg";

/** About how often a server is asked. Each time a fifth more or less, so that the processes of a service do not ask all at once. */
const everyMs = 1_000;
const soonMs = 20;
/** A server that says nothing for longer does not answer. */
const silenceMs = 2_000;

/** What a server is told of. */
export interface WatchEvents<Row> {
  /** @param askedAt time of `performance.now()` at which nothing had been sent yet */
  answered(row: Row, askedAt: number): void;
  silent(error: unknown): void;
}

/** Asks a server the same question again and again, on a connection of its own, so that a busy pool is not taken for a server that is gone. */
export class ServerWatch<Row extends pg.QueryResultRow> {
  #client: pg.Client | undefined;
  #asking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Infinity;
  #isClosed = false;

  constructor(
    private readonly url: string,
    private readonly question: string,
    private readonly events: WatchEvents<Row>,
  ) {}

  /** Asks now, and from then on about once a second. Never rejects; whoever comes while a question is under way gets its answer. */
  ask(): Promise<void> {
    this.#asking ??= this.#askOnce().finally(() => {
      this.#asking = undefined;
      this.#plan(everyMs * (0.8 + 0.4 * Math.random()));
    });
    return this.#asking;
  }

  /** Asks again in a moment: once for all who want it meanwhile. */
  askSoon(): void {
    this.#plan(soonMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#asking;
    await this.#client?.end().catch(() => {});
  }

  #plan(ms: number): void {
    const at = performance.now() + ms;
    if (this.#isClosed || (this.#timer !== undefined && this.#dueAt <= at)) return;
    clearTimeout(this.#timer);
    this.#dueAt = at;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      // A question that is under way may have been asked too early for whoever planned this one.
      void Promise.resolve(this.#asking).then(() => this.ask());
    }, ms);
    this.#timer.unref();
  }

  async #askOnce(): Promise<void> {
    if (this.#isClosed) return;
    const askedAt = performance.now();
    try {
      this.#client ??= await this.#connect();
      const { rows } = await this.#client.query<Row>(this.question);
      if (rows[0] && !this.#isClosed) this.events.answered(rows[0], askedAt);
    } catch (error) {
      const broken = this.#client;
      this.#client = undefined;
      broken?.end().catch(() => {});
      if (!this.#isClosed) this.events.silent(error);
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.url,
      application_name: "periscope watch",
      connectionTimeoutMillis: silenceMs,
      query_timeout: silenceMs,
      keepAlive: true,
    });
    client.on("error", () => {});
    client.on("end", () => {
      if (this.#client !== client) return;
      this.#client = undefined;
      // A server that is gone says so first by the end of this connection.
      if (!this.#isClosed) void this.ask();
    });
    await client.connect();
    return client;
  }
}
