import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { createGzip } from "node:zlib";
import { limits } from "@periscope/schemas";
import type { Request, Response } from "express";
import { badRequest, DomainError } from "../domain-error.js";
import type { StreamedAnswer } from "../trpc/streamed-answer.js";
import { countParts, discardBody, lingerMs } from "./input.js";
import { stateOf } from "./request-log.js";

/** What a stream that is sent holds: a page of contexts as rows and as text. */
const answerBytes = 4_194_304;
/** Takes half the time of zlib's default, for 7 % more bytes. */
const gzipLevel = 3;
/** Small parts of an upload are joined until there are so many bytes. */
const chunkBytes = 65_536;
/** Milliseconds without a byte after which an upload is given up. */
const silenceMs = 30_000;

/** Sends an answer as it is made, packed where the client takes that. A failure on the way ends the connection, so that nobody takes it for whole. */
export async function sendStream(req: Request, res: Response, { type, chunks, fileName }: StreamedAnswer): Promise<void> {
  const state = stateOf(res);
  state.hold?.(answerBytes);
  res.statusCode = 200;
  res.setHeader("Content-Type", `${type}; charset=utf-8`);
  res.setHeader("Cache-Control", "no-store");
  if (fileName !== undefined) res.setHeader("Content-Disposition", `attachment; filename="${fileName}"`);
  res.vary("Accept-Encoding");
  const isPacked = fileName !== undefined && req.acceptsEncodings("gzip") === "gzip";
  if (isPacked) res.setHeader("Content-Encoding", "gzip");
  if (req.method === "HEAD") return void res.end();
  const noted = async function* () {
    try {
      yield* chunks;
    } catch (error) {
      state.failure = error;
      throw error;
    }
  };
  // A client that goes away has its own line in the log.
  const source = Readable.from(noted(), { objectMode: false });
  await (isPacked ? pipeline(source, createGzip({ level: gzipLevel }), res) : pipeline(source, res)).catch(() => res.destroy());
}

/**
 * The body of a request as it arrives, up to the limit that its reader sets. Throws `unsupported_media_type`, and `bad_request` when it
 * breaks off or its parts are tiny.
 */
export function readUpload(req: Request, res: Response): AsyncGenerator<Uint8Array> {
  const { headers } = req;
  if (!/^application\/(?:x-ndjson|ndjson|jsonl|gzip)\s*(?:;|$)/i.test(headers["content-type"] ?? ""))
    throw new DomainError("unsupported_media_type", "The body must be JSON lines. Send it with Content-Type: application/x-ndjson.");
  if (!/^(?:identity|(?:x-)?gzip)$/i.test(headers["content-encoding"] ?? "identity"))
    throw new DomainError("unsupported_media_type", "This Content-Encoding is not supported. Send gzip or none.");
  const state = stateOf(res);
  state.isUpload = true;
  // The longest line, in parts and joined.
  state.hold?.(limits.importLineBytesMax);
  return parts(req, res);
}

async function* parts(req: Request, res: Response): AsyncGenerator<Uint8Array> {
  const count = countParts();
  const iterator = req.iterator({ destroyOnReturn: false });
  let joined: Buffer[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const timer = setTimeout(() => req.destroy(), silenceMs);
      const next = await iterator.next().finally(() => clearTimeout(timer));
      if (next.done) break;
      const part = next.value as Buffer;
      count(part);
      joined.push(part);
      bytes += part.length;
      if (bytes < chunkBytes) continue;
      yield Buffer.concat(joined);
      [joined, bytes] = [[], 0];
    }
    yield Buffer.concat(joined);
  } catch (error) {
    throw error instanceof DomainError ? error : badRequest("body: broke off before its end.");
  } finally {
    // So that a client that sends first and reads then sees why it is refused.
    if (!req.complete && !res.destroyed) {
      // A client that has not sent all by then must not send its next request behind the rest.
      if (!res.headersSent) res.setHeader("Connection", "close");
      discardBody(req);
      await Promise.race([once(req, "end"), once(res, "close"), wait(lingerMs, undefined, { ref: false })]).catch(() => {});
    }
  }
}
