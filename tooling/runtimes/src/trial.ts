import {
  AbortedError,
  ApiError,
  AuthenticationError,
  ConnectionError,
  NotFoundError,
  Periscope,
  PeriscopeError,
  RateLimitError,
  ResponseShapeError,
  ServerError,
  TimeoutError,
} from "@periscope/client";

// Runs in every runtime and in a page: nothing in it is Node's.

/** Where the trial finds a service that works, and one that does not. */
export interface TrialOptions {
  baseUrl: string;
  key: string;
  /** Address of a faulty service: the name of the fault is its key. */
  faultyUrl: string;
}

/** What became of each part of the trial: nothing, or what was wrong. */
export type TrialReport = Record<string, string | null>;

type Part = (options: TrialOptions) => Promise<void>;

const parts: Record<string, Part> = {
  async "a context from its capture to its end"({ baseUrl, key }) {
    const periscope = new Periscope({ baseUrl, apiKey: () => Promise.resolve(key) });
    const tabMetadata = { id: "7", url: "https://example.com/keeper", title: "The keeper" };
    const capturedAt = new Date().toISOString();
    const id = `page-${Math.random()}`;
    const context = { id, type: "page", tabId: "7", capturedAt, content: "The keeper lights the lamp.", tabMetadata } as const;
    equal((await periscope.sync({ type: "create", payload: { context } })).contextId, id);
    equal((await periscope.current())?.title, "The keeper");
    equal((await periscope.get(id)).content, "The keeper lights the lamp.");
    equal((await periscope.search("lamp")).items.filter(({ contextId }) => contextId === id).length, 1);
    const outcome = await periscope.syncAll(Array.from({ length: 120 }, () => ({ type: "heartbeat" as const })));
    equal([outcome.synced, outcome.failed].join(), "120,0");
    let seen = 0;
    for await (const item of periscope.history()) seen += item.contextId === id ? 1 : 0;
    equal(seen, 1);
    const { data, response, requestId, rateLimit } = await periscope.delete(id).withResponse();
    equal([data.deleted, response.status, typeof requestId, rateLimit !== null].join(), "true,204,string,true");
    equal(NotFoundError.is(await failureOf(periscope.get(id))), true);
  },
  async "the live channel"({ baseUrl, key }) {
    const periscope = new Periscope({ baseUrl, apiKey: () => Promise.resolve(key) });
    const tabMetadata = { id: "8", url: "https://example.com/live", title: "Live", isActive: false };
    const context = () => ({ type: "page", tabId: "8", capturedAt: new Date().toISOString(), tabMetadata }) as const;
    const write = () => periscope.sync({ type: "create", payload: { context: context() } }).catch(() => {});
    const writing = setInterval(() => void write(), 1_000);
    try {
      for await (const change of periscope.live({ filter: { tabId: "8" } }))
        if (change.event === "context.created") return equal(change.context.title, "Live");
    } finally {
      clearInterval(writing);
    }
  },
  async "a live channel that is refused, again and again"({ faultyUrl }) {
    for (const fault of ["live-429", "live-502"]) {
      const ending = new AbortController();
      const lines: string[] = [];
      const write = (level: string) => (message: string) => {
        lines.push(`${level}: ${message}`);
        if (lines.length === 2) ending.abort();
      };
      const logger = { error: write("error"), warn: write("warn"), info: write("info"), debug: () => {} };
      const periscope = new Periscope({ baseUrl: faultyUrl, apiKey: () => fault, logger, logLevel: "info" });
      for await (const { event } of periscope.live({ signal: ending.signal })) throw new Error(`${event} came`);
      equal(lines.join(), "warn: periscope: tries the live channel again,info: periscope: tries the live channel again");
    }
  },
  async "a key that is none"({ baseUrl }) {
    const error = await failureOf(new Periscope({ baseUrl, apiKey: () => "psk_none_0123456789", ...patience }).current());
    equal(AuthenticationError.is(error) && error.attempts, 2);
  },
  async "a cut connection, and the same request again"(options) {
    const { data, attempts } = await faulty(options, "cut-once").current().withResponse();
    // A browser may have sent it again by itself.
    equal(data === null && attempts <= 2, true);
  },
  async "a limit that ends in a second"(options) {
    const startedAt = performance.now();
    const { attempts } = await faulty(options, "limit-once").current().withResponse();
    equal(attempts === 2 && performance.now() - startedAt >= 900, true);
  },
  async "a limit that ends too late"(options) {
    const error = await failureOf(faulty(options, "limit").current());
    equal(RateLimitError.is(error) && [error.retryAfterMs, error.limit, error.resetAt?.getTime()].join(), "3600000,5,4102444800000");
  },
  async "a proxy's page in place of an answer"(options) {
    equal(ResponseShapeError.is(await failureOf(faulty(options, "login").current())), true);
    const error = await failureOf(faulty(options, "bad-gateway").with({ maxRetries: 0 }).current());
    equal(ServerError.is(error) && error.code, "http_502");
  },
  async "a redirect, which is not followed"(options) {
    const { data } = faulty(options, "redirect").with({ maxRetries: 0 });
    const error = await failureOf(data.setRetention([]));
    equal(ApiError.is(error) && error.attempts === 1 && error.message.includes("a redirect"), true);
  },
  async "an answer that stands still"(options) {
    for (const fault of ["stall", "stall-body", "stall-endless-body"]) {
      const error = await failureOf(faulty(options, fault).with({ maxRetries: 0, timeoutMs: 200 }).current());
      equal(TimeoutError.is(error) && error.attempts, 1);
    }
  },
  async "an abort while it waits"(options) {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    equal(AbortedError.is(await failureOf(faulty(options, "stall").current({}, { signal: controller.signal }))), true);
  },
  async "nobody there"() {
    const error = await failureOf(new Periscope({ baseUrl: "http://127.0.0.1:9", apiKey: () => "key", maxRetries: 1 }).current());
    equal(ConnectionError.is(error) && error.attempts, 2);
  },
  async "no key in what is printed"(options) {
    const key = "echo-0123456789";
    const error = await failureOf(new Periscope({ baseUrl: options.faultyUrl, apiKey: () => key }).current());
    equal(PeriscopeError.is(error), true);
    const printed = `${String(error)} ${JSON.stringify(error)} ${(error as Error).stack}`;
    equal([printed.includes(key), printed.includes("[key]")].join(), "false,true");
  },
};

/** A server that is only slow is asked once. */
const patience = { timeoutMs: 120_000, deadlineMs: 300_000 };

/** Tries the client in the runtime that this runs in. */
export async function runTrial(options: TrialOptions): Promise<TrialReport> {
  const outcomes = Object.entries(parts).map(async ([name, part]) => {
    const problem = await part(options).then(
      () => null,
      (error: unknown) => String(error),
    );
    return [name, problem] as const;
  });
  return Object.fromEntries(await Promise.all(outcomes));
}

function faulty({ faultyUrl }: TrialOptions, fault: string): Periscope {
  const key = `${fault}.${Math.random()}`;
  return new Periscope({ baseUrl: faultyUrl, apiKey: () => key, ...patience });
}

async function failureOf(call: PromiseLike<unknown>): Promise<unknown> {
  return await Promise.resolve(call).then(
    () => undefined,
    (error: unknown) => error,
  );
}

function equal(found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${String(found)} in place of ${String(expected)}`);
}
