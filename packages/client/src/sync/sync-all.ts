import type { BatchResult } from "@periscope/schemas";
import { newMessageId } from "@periscope/delivery";
import { batchMessagesMax } from "../answers/answer-shapes.js";
import { ApiError, PayloadTooLargeError } from "../errors/api-error.js";
import { AbortedError } from "../errors/call-errors.js";
import { PeriscopeError } from "../errors/periscope-error.js";
import { Ended, within } from "../http/time-limit.js";
import { wordsOf } from "../redact.js";
import { type BatchItem, type BatchOutcome, outcomeOf } from "./batch-outcome.js";
import { matchResults, type PendingMessage } from "./match-results.js";
import { type NewMessage, writeMessage } from "./new-message.js";

/** Messages in any number. */
export type Messages = Iterable<NewMessage> | AsyncIterable<NewMessage>;

/** Bytes of messages that go into one request: a quarter of what the service takes, so that a slow line sends it within an attempt. */
const bytesAtFirst = 4_194_304;
// As long as timers can wait.
const endlessMs = 2 ** 31 - 1;

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/**
 * Sends messages in batches, one after the other: the service takes the messages of a user in order. Ends with the messages, or when a
 * request fails as a whole. Never rejects.
 * @param send sends the JSON of a batch; rejects with a PeriscopeError
 */
export async function syncAll(
  messages: Messages,
  send: (json: string) => Promise<BatchResult>,
  signal: AbortSignal | undefined,
): Promise<BatchOutcome> {
  const items: BatchItem[] = [];
  // What is not sent yet stays here, so that a failure of the whole loses nothing.
  let pending: PendingMessage[] = [];
  let pendingBytes = 0;
  // Falls when the service, or a proxy before it, finds a batch too large.
  let bytesMax = bytesAtFirst;
  let read = 0;
  let stoppedBy: PeriscopeError | null = null;

  try {
    await readAll();
    await flush();
  } catch (error) {
    stoppedBy = stopOf(error, signal);
    // A source that failed, or a caller who stopped, says nothing against the messages that were read before.
    const canSucceed = stoppedBy.retryable || AbortedError.is(stoppedBy) || !PeriscopeError.is(error);
    for (const message of pending) fail(message, stoppedBy, canSucceed);
  }
  return outcomeOf(
    items.toSorted((one, other) => one.index - other.index),
    stoppedBy,
  );

  async function readAll(): Promise<void> {
    const given: object = Object(messages);
    if (!(Symbol.iterator in given || Symbol.asyncIterator in given))
      throw new PeriscopeError("syncAll takes an array of messages, or another iterable.");
    if (Symbol.iterator in messages) {
      for (const message of messages) await take(message);
      return;
    }
    // A source that keeps its reader waiting is left when the signal says so, and its end is not waited for: it may hang as well.
    const source = messages[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await within(endlessMs, signal, () => source.next());
        if (done === true) return;
        await take(value);
      }
    } finally {
      void leave(source);
    }
  }

  async function take(message: NewMessage): Promise<void> {
    const index = read++;
    let written;
    try {
      written = writeMessage(message);
    } catch (error) {
      fail({ index, id: String(message?.id) }, error as PeriscopeError, false);
      return;
    }
    const bytes = bytesOf(written.json);
    try {
      if (pendingBytes + bytes > bytesMax) await flush();
    } finally {
      // Also when the batch before it has failed: what was read has an item.
      pending.push({ index, ...written });
      pendingBytes += bytes;
    }
    if (pending.length >= batchMessagesMax) await flush();
  }

  async function flush(): Promise<void> {
    let size = pending.length;
    while (pending.length > 0) {
      const batch = pending.slice(0, size);
      const json = `{"id":"${newMessageId(Date.now())}","type":"batch","messages":[${batch.map((message) => message.json).join(",")}]}`;
      try {
        items.push(...matchResults(batch, await send(json)));
      } catch (error) {
        if (!PayloadTooLargeError.is(error)) throw error;
        const [only, ...others] = batch;
        if (only && others.length > 0) {
          bytesMax = Math.min(bytesMax, error.maxBytes ?? Infinity, bytesOf(json) / 2);
          size = Math.ceil(size / 2);
          continue;
        }
        if (only) fail(only, error, false);
      }
      pending = pending.slice(batch.length);
    }
    pendingBytes = 0;
  }

  function fail({ index, id }: { index: number; id: string }, error: PeriscopeError, retryable: boolean): void {
    items.push({ index, id, status: "failed", code: codeOf(error), message: error.message, retryable });
  }
}

/** Closes a source. Not every one answers with a promise, and how it ends changes nothing of what was sent. */
async function leave(source: AsyncIterator<unknown>): Promise<void> {
  try {
    await source.return?.();
  } catch {}
}

function stopOf(error: unknown, signal: AbortSignal | undefined): PeriscopeError {
  if (error instanceof Ended) return new AbortedError("Syncing was aborted.", { cause: signal?.reason });
  return PeriscopeError.is(error) ? error : new PeriscopeError(`The messages could not be read: ${wordsOf(error)}`, { cause: error });
}

/** The answer's code, or the error's class in the same spelling: `connection_error`. */
function codeOf(error: PeriscopeError): string {
  return ApiError.is(error) ? error.code : error.name.replaceAll(/\B[A-Z]/g, "_$&").toLowerCase();
}
