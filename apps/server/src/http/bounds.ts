import { getHeapStatistics } from "node:v8";
import type { Request, RequestHandler, Response } from "express";
import { DomainError, rateLimited } from "../domain-error.js";
import type { BoundName } from "../metrics/metrics.js";
import { stateOf } from "./request-log.js";

const mebi = 1_048_576;

/** What clients may occupy of one server process at a time, so that none of them can end it. */
export interface Bounds {
  /** Decoded bytes of all bodies, from their first byte until the request is answered, and of all large answers until they are sent. */
  bytes: number;
  /** The same for one user. */
  userBytes: number;
  userRequests: number;
  connections: number;
  /** Open connections of one address. Not applied behind trusted proxies, whose address stands for all clients. */
  addressConnections: number;
  /** Requests of one connection that wait for their answers. They are served one after the other. */
  connectionRequests: number;
  /** Milliseconds to send a request whole. */
  requestMs: number;
  /** Milliseconds in which a client must read something of its answer. */
  readMs: number;
}

/** The default bounds. A body needs about five times its bytes while it is parsed, filtered and stored; the rest of the heap is for that. */
export function defaultBounds(heapBytes = getHeapStatistics().heap_size_limit): Bounds {
  // Never less than one body of 16 MiB for each of two users.
  const bytes = Math.max(64 * mebi, Math.floor(heapBytes / 8));
  // A connection holds up to 512 KiB of headers of requests that wait.
  const connections = Math.max(256, Math.floor(heapBytes / mebi));
  return {
    bytes,
    userBytes: bytes / 2,
    userRequests: 256,
    connections,
    addressConnections: Math.floor(connections / 4),
    connectionRequests: 32,
    requestMs: 120_000,
    readMs: 30_000,
  };
}

/** Answers of up to so many bytes are not counted: the bounds on requests and connections are enough for them. */
const smallAnswerBytes = 16_384;

interface UserLoad {
  requests: number;
  bytes: number;
}

/** Keeps what users have in progress within the bounds. */
export class RequestLoad {
  #bytes = 0;
  readonly #users = new Map<string, UserLoad>();

  constructor(private readonly bounds: Bounds) {}

  /** Wraps a handler: what a request holds is let go once the handler has ended, and the answer is sent or its client gone. */
  track(handler: (req: Request, res: Response) => Promise<void>): RequestHandler {
    return async (req, res) => {
      try {
        await handler(req, res);
      } finally {
        const release = () => stateOf(res).release?.();
        if (res.destroyed) release();
        else res.once("close", release);
      }
    };
  }

  /** Counts a request of a user, and what it says that it holds. Throws `rate_limited` past a bound. */
  enter(res: Response, userId: string): void {
    const { bounds } = this;
    const user = this.#users.get(userId) ?? { requests: 0, bytes: 0 };
    if (user.requests >= bounds.userRequests)
      throw tooMuch("user_requests", `More than ${bounds.userRequests} requests of this user are in progress.`);
    this.#users.set(userId, user);
    user.requests++;
    let held = 0;
    const state = stateOf(res);
    state.hold = (bytes) => {
      if (user.bytes + bytes > bounds.userBytes)
        throw tooMuch("user_bytes", `Requests of this user that are in progress hold more than ${bounds.userBytes} bytes.`);
      if (this.#bytes + bytes > bounds.bytes)
        throw new DomainError("unavailable", "The server has no memory left for this request. Retry after the seconds in Retry-After.", {
          retryAfterSeconds: 1,
          bound: "total_bytes",
        });
      held += bytes;
      user.bytes += bytes;
      this.#bytes += bytes;
    };
    state.release = () => {
      this.#bytes -= held;
      user.bytes -= held;
      if (--user.requests === 0) this.#users.delete(userId);
    };
  }
}

const tooMuch = (bound: BoundName, what: string): DomainError => rateLimited(`${what} Send fewer or smaller requests at once.`, 1, bound);

/** Counts an answer against the bounds until it is sent. Throws past them. */
export function holdAnswer(res: Response, bytes: number): void {
  if (bytes > smallAnswerBytes) stateOf(res).hold?.(bytes);
}
