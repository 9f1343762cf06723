/** Media type of JSON lines. */
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

/**
 * JSON of what takes long. Until it is there, a space is sent now and then, which JSON allows before a value: clients and proxies give up
 * on connections that say nothing for minutes.
 */
export function streamedJson(work: Promise<unknown>): StreamedAnswer {
  // Where nobody reads the answer, nobody hears of a failure.
  work.catch(() => {});
  return new StreamedAnswer("application/json", spacesThen(work));
}

const everyMs = 10_000;

async function* spacesThen(work: Promise<unknown>): AsyncGenerator<string> {
  for (;;) {
    const timer = Promise.withResolvers<undefined>();
    const timeout = setTimeout(() => timer.resolve(undefined), everyMs);
    const done = await Promise.race([work.then((value) => ({ value })), timer.promise]).finally(() => clearTimeout(timeout));
    if (done) return yield JSON.stringify(done.value);
    yield " ";
  }
}
