export const ndjson = "application/x-ndjson";

/** An answer that is sent as it is made, in the place of a body as a whole. */
export class StreamedAnswer {
  constructor(
    readonly type: string,
    readonly chunks: AsyncIterable<string | Uint8Array>,
    /** The name under which a browser saves it. */
    readonly fileName?: string,
  ) {}
}

const everyMs = 10_000;

/**
 * JSON of what may take long. What takes longer than 10 seconds begins with spaces, which JSON allows before a value, one every 10 seconds:
 * clients and proxies give up on connections that say nothing for a minute. A failure after the first space ends the connection.
 */
export async function streamedJson<T>(work: Promise<T>): Promise<T | StreamedAnswer> {
  const done = await inTime(work, everyMs);
  // Where nobody reads the answer, nobody hears of a failure.
  work.catch(() => {});
  return done ? done.value : new StreamedAnswer("application/json", spacesThen(work));
}

async function* spacesThen(work: Promise<unknown>): AsyncGenerator<string> {
  for (;;) {
    yield " ";
    const done = await inTime(work, everyMs);
    if (done) return yield JSON.stringify(done.value);
  }
}

/** The result of work that ends within a time; undefined when it goes on. */
export async function inTime<T>(work: Promise<T>, ms: number): Promise<{ value: T } | undefined> {
  const timer = Promise.withResolvers<undefined>();
  const timeout = setTimeout(() => timer.resolve(undefined), ms);
  return await Promise.race([work.then((value) => ({ value })), timer.promise]).finally(() => clearTimeout(timeout));
}
