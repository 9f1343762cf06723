import { HttpConnection } from "./http-connection.ts";

/** Where the load goes and when it ends: after `seconds`, or after `requests` when that comes first. */
export interface LoadTarget {
  port: number;
  connections: number;
  seconds: number;
  requests?: number | undefined;
}

/** What a load did. Latencies are milliseconds, one a request, in no order. */
export interface LoadResult {
  requests: number;
  seconds: number;
  latencies: Float64Array;
  /** Answers by status. */
  statuses: Record<string, number>;
}

/**
 * Keeps `connections` requests under way, each connection sending its next request when the last is answered.
 * @param next bytes of the next request
 * @throws Error when a connection breaks
 */
export async function closedLoop(target: LoadTarget, next: () => Uint8Array): Promise<LoadResult> {
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  let left = target.requests ?? Number.POSITIVE_INFINITY;
  const started = performance.now();
  const deadline = started + target.seconds * 1_000;
  const worker = async () => {
    using connection = new HttpConnection("127.0.0.1", target.port);
    while (left > 0) {
      left -= 1;
      const request = next();
      const sent = performance.now();
      if (sent >= deadline) return;
      const { status } = await connection.send(request);
      latencies.push(performance.now() - sent);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: target.connections }, worker));
  const seconds = (performance.now() - started) / 1_000;
  return { requests: latencies.length, seconds, latencies: Float64Array.from(latencies), statuses };
}
