import autocannon from "autocannon";
import { type BenchDocument, contextOf, createDocuments } from "./documents.ts";
import { percentile } from "./measure.ts";

/** What a load did. Latencies are milliseconds a request. */
export interface Sample {
  /** Requests that were answered. */
  count: number;
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
}

/** How much is asked: for some seconds, or this many requests. */
export type Amount = { connections: number; seconds: number } | { connections: number; requests: number };

/** Sends GET requests to each path in turn. @throws Error when an answer is not 200 */
export async function readLoad(target: { baseUrl: string; key: string }, paths: readonly string[], amount: Amount): Promise<Sample> {
  return await run(target, amount, { expected: 200, requests: paths.map((path) => ({ method: "GET", path: `/api/v1${path}` })) });
}

/** Messages to send: numbered, so that none is a replay. */
export interface WriteWork {
  perRequest: number;
  /** Returns the numbers of the contexts in the next request, from the first one on. */
  next(): number;
  document(number: number): BenchDocument;
  /** Time of context 0. Milliseconds since the epoch. */
  epoch: number;
}

/** Creates contexts. `perSecond` counts contexts. @throws Error when a request is not accepted */
export async function writeLoad(target: { baseUrl: string; key: string }, work: WriteWork, amount: Amount): Promise<Sample> {
  const { perRequest, epoch } = work;
  const messageOf = (number: number) => {
    const { timestamp, context } = contextOf(work.document(number), number, epoch);
    return {
      id: `m${String(number).padStart(10, "0")}`,
      type: "create",
      timestamp,
      extensionId: "bench",
      payload: { type: "context", operation: "create", context },
    };
  };
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    const first = work.next();
    const messages = Array.from({ length: perRequest }, (_, index) => messageOf(first + index));
    const body = perRequest === 1 ? messages[0] : { id: `b${first}`, type: "batch", extensionId: "bench", messages };
    return { ...request, body: JSON.stringify(body) };
  };
  const path = perRequest === 1 ? "/api/v1/context/sync" : "/api/v1/context/batch-sync";
  const expected = perRequest === 1 ? 201 : 207;
  const sample = await run(target, amount, { expected, requests: [{ method: "POST", path, setupRequest }] });
  return { ...sample, perSecond: sample.perSecond * perRequest };
}

/** Contexts a request, where a store is filled. */
const batchSize = 100;

/** Writes contexts, numbered through, of the last month. So many texts are different; further contexts have them again under other addresses. */
export function createWriter(different: number) {
  const create = createDocuments();
  const documents = Array.from({ length: different }, (_, number) => create(number));
  const document = (number: number) => {
    const { url, ...rest } = documents[number % different] ?? create(number);
    return { ...rest, url: `${url}?visit=${number}` };
  };
  const epoch = Date.now() - 30 * 86_400_000;
  let number = 0;
  const write = (target: { baseUrl: string; key: string }, perRequest: number, amount: Amount) =>
    writeLoad(target, { perRequest, document, epoch, next: () => (number += perRequest) - perRequest }, amount);
  return {
    documents,
    write,
    /** Writes at least so many contexts. */
    fill: (target: { baseUrl: string; key: string }, contexts: number) =>
      write(target, batchSize, { connections: 2, requests: Math.ceil(contexts / batchSize) }),
    /** How many were written. */
    written: () => number,
  };
}

async function run(
  { baseUrl, key }: { baseUrl: string; key: string },
  amount: Amount,
  { expected, requests }: { expected: number; requests: autocannon.Request[] },
): Promise<Sample> {
  const latencies: number[] = [];
  let seconds = 0;
  const others = new Map<number, number>();
  const started = performance.now();
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const requestsMax = "seconds" in amount ? 1e9 : amount.requests;
  const secondsMax = "seconds" in amount ? amount.seconds : Infinity;
  const instance = autocannon(
    { url: new URL(baseUrl).origin, connections: amount.connections, headers, requests, timeout: 600, amount: requestsMax },
    () => {},
  );
  // Of a histogram in whole milliseconds the quick answers would be missing.
  instance.on("response", (_client, status, _bytes, milliseconds) => {
    latencies.push(milliseconds);
    if (status !== expected) others.set(status, (others.get(status) ?? 0) + 1);
    seconds = (performance.now() - started) / 1_000;
    // Not by a timer, so that a slow service has answered at least once.
    if (seconds >= secondsMax) instance.stop();
  });
  await new Promise<void>((resolve, reject) => {
    instance.on("reqError", (error: Error) => (seconds < secondsMax ? reject(error) : undefined));
    instance.on("done", () => resolve());
  });
  if (others.size > 0 || latencies.length === 0)
    throw new Error(`The load expected answers ${expected}, and got ${JSON.stringify(Object.fromEntries(others))} in ${latencies.length}.`);
  const at = (share: number) => percentile(latencies, share);
  return { count: latencies.length, perSecond: latencies.length / seconds, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
