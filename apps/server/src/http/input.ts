import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { limits } from "@periscope/schemas";
import type { Request, Response } from "express";
import { badParameter, badRequest, DomainError, payloadTooLarge } from "../domain-error.js";
import { checkJsonBounds } from "../json-bounds.js";
import { stateOf } from "./request-log.js";
import { yieldToEventLoop } from "../workers/pause.js";

const times: ReadonlySet<string> = new Set(["since", "until", "startTime", "endTime"]);
const wholeNumber = /^-?\d{1,17}$/;
/** A time whose `+` was not escaped: in a query string it means a space. */
const lostPlus = /^\d{4}-\d\d-\d\dT[\d:.]+ \d\d:\d\d$/;

/**
 * A query string as the input of a procedure. Converts whole numbers here, so that the shared schemas need not coerce.
 * Throws `bad_request` for a repeated parameter, a number that is not whole, and a time whose `+` was not escaped.
 * @param numbers parameters that are numbers
 */
export function readQuery(search: string, numbers: ReadonlySet<string>): Record<string, unknown> {
  const input = Object.create(null) as Record<string, unknown>;
  if (search === "") return input;
  for (const [key, value] of new URLSearchParams(search)) {
    if (key in input) throw badParameter(key, "is given more than once; send it once");
    if (times.has(key) && lostPlus.test(value))
      throw badParameter(key, "has a space where + was meant; write + as %2B, or end the time with Z");
    input[key] = numbers.has(key) ? readNumber(key, value) : value;
  }
  return input;
}

function readNumber(key: string, value: string): number {
  if (!wholeNumber.test(value)) throw badParameter(key, "must be a whole number");
  return Number(value);
}

/** A parameter of the path, decoded. Throws `bad_request` when it is not valid percent-encoding. */
export function decodePathParameter(name: string, encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw badParameter(name, "is not valid percent-encoded UTF-8");
  }
}

/** To check or parse a body of more than this takes a millisecond or more. */
const largeBytes = 262_144;

const decoders = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress, identity: undefined };

/** Bytes of a body, after decoding, that anybody may send without a key and without a session. */
export const anonymousBodyBytesMax = 16_384;

/**
 * Reads a JSON body, decoded from gzip, br or deflate, up to `bytesMax` bytes. Its bytes count against the bounds of bounds.ts.
 * Throws `unsupported_media_type`, `bad_request`, `payload_too_large`, or past those bounds.
 */
export async function readJsonBody(req: Request, res: Response, bytesMax: number = limits.bodyBytesMax): Promise<unknown> {
  const { headers } = req;
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (!hasBody) throw badRequest("body: required. Send a JSON object.");
  const type = headers["content-type"] ?? "";
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type))
    throw new DomainError("unsupported_media_type", "The body must be JSON. Send it with Content-Type: application/json.");
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1] ?? "utf-8";
  if (!/^utf-?8$/i.test(charset)) throw new DomainError("unsupported_media_type", "This charset is not supported. Send JSON in UTF-8.");
  const encoding = (headers["content-encoding"] ?? "identity").toLowerCase();
  if (!Object.hasOwn(decoders, encoding))
    throw new DomainError("unsupported_media_type", "This Content-Encoding is not supported. Send gzip, br, deflate or none.");
  const bytes = await readBody(req, res, bytesMax, decoders[encoding as keyof typeof decoders]?.());
  const isLarge = bytes.length > largeBytes;
  if (isLarge) await yieldToEventLoop();
  checkJsonBounds(bytes);
  if (isLarge) await yieldToEventLoop();
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch (error) {
    throw error instanceof SyntaxError ? badRequest("body: is not valid JSON.") : error;
  }
}

/**
 * Reads a small form (`application/x-www-form-urlencoded`), each of whose fields is sent once.
 * Throws `unsupported_media_type`, `payload_too_large` and `bad_request`.
 */
export async function readForm(req: Request): Promise<Record<string, string>> {
  const { headers } = req;
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(headers["content-type"] ?? ""))
    throw new DomainError("unsupported_media_type", "Send the body as application/x-www-form-urlencoded.");
  if (!(Number(headers["content-length"]) <= anonymousBodyBytesMax))
    throw payloadTooLarge(
      `The body is too large, or its length is not known. Send a Content-Length of at most ${anonymousBodyBytesMax} bytes.`,
      anonymousBodyBytesMax,
    );
  const form = Object.create(null) as Record<string, string>;
  for (const [key, value] of new URLSearchParams(Buffer.concat(await req.toArray()).toString("utf8"))) {
    if (key in form) throw badParameter(key, "is given more than once; send it once");
    form[key] = value;
  }
  return form;
}

/** How long the rest of a refused body is read, so that a client that sends first and reads then sees the answer. */
export const lingerMs = 2_000;

/** Codes of zlib that say that the bytes are wrong, rather than that the server could not decode them. */
const wrongBytes = /^(?:Z_DATA_ERROR|Z_BUF_ERROR|Z_NEED_DICT|ERR_BROTLI_DECODER_ERROR_(?:FORMAT|UNREACHABLE)\w*|ERR__ERROR_FORMAT\w*)$/;

async function readBody(req: Request, res: Response, bytesMax: number, decoder: Transform | undefined): Promise<Buffer> {
  try {
    const sent = await collect(req, res, bytesMax, countParts());
    if (!decoder) return sent;
    decoder.end(sent);
    return await collect(decoder, res, bytesMax).finally(() => decoder.destroy());
  } catch (error) {
    if (error === bodyInPieces) {
      res.setHeader("Connection", "close");
      await wait(tinyPartsMs, undefined, { ref: false });
    } else if (!req.complete) {
      discardBody(req);
      await Promise.race([once(req, "end"), once(res, "close"), wait(lingerMs, undefined, { ref: false })]).catch(() => {});
    }
    const { code = "" } = error as NodeJS.ErrnoException;
    throw wrongBytes.test(code) ? badRequest("body: could not be decoded. Check Content-Encoding.") : error;
  }
}

/** All bytes of a stream, up to `bytesMax`. They are copied as they arrive: one Buffer for each chunk of one byte would take a hundred times the memory. */
async function collect(source: Readable, res: Response, bytesMax: number, count?: (part: Buffer) => void): Promise<Buffer> {
  const { hold } = stateOf(res);
  let bytes = Buffer.alloc(0);
  let length = 0;
  const whole = Promise.withResolvers<void>();
  // The connection broke off: nobody reads this.
  const onClose = () => whole.reject(badRequest("body: ended before its Content-Length."));
  res.once("close", onClose);
  source.on("end", whole.resolve).on("error", whole.reject);
  source.on("data", (part: Buffer) => {
    try {
      count?.(part);
      if (length + part.length > bytesMax) throw bodyTooLarge(bytesMax);
      if (length + part.length > bytes.length) {
        const room = Math.min(bytesMax, Math.max(length + part.length, 2 * bytes.length));
        hold?.(room - bytes.length);
        const larger = Buffer.allocUnsafe(room);
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      length += part.copy(bytes, length);
    } catch (error) {
      whole.reject(error);
      source.removeAllListeners("data").pause();
    }
  });
  try {
    await whole.promise;
    return bytes.subarray(0, length);
  } catch (error) {
    hold?.(-bytes.length);
    throw error;
  } finally {
    res.off("close", onClose);
  }
}

/**
 * Reads what is left of a body that nobody wants, so that a client that sends first and reads then sees the answer. A connection that
 * sends it in tiny parts is closed after a while.
 */
export function discardBody(req: IncomingMessage): void {
  const count = countParts();
  req.on("data", (part: Buffer) => {
    try {
      count(part);
    } catch {
      req.removeAllListeners("data").pause();
      setTimeout(() => req.socket.destroy(), tinyPartsMs).unref();
    }
  });
  // A stream that was paused does not go on by itself.
  req.resume();
}

/** Average size of a body's parts at least, in bytes, once so many have come: each part costs as much time as a kibibyte. */
const [partBytesMin, uncheckedParts] = [16, 4_096];

/** Milliseconds that a connection which sends them is left waiting: Node has read ten thousand by then, and a new one would begin at once. */
const tinyPartsMs = 2_000;

/** Counts the parts of a body as they are sent. Throws when they are tiny. */
export function countParts(): (part: Buffer) => void {
  let parts = 0;
  let bytes = 0;
  return ({ length }) => {
    bytes += length;
    if (++parts > uncheckedParts && bytes < partBytesMin * parts) throw bodyInPieces;
  };
}

const bodyInPieces = new DomainError("bad_request", `body: its parts are too small. Send chunks of at least ${partBytesMin} bytes.`, {
  bound: "body_parts",
});

const bodyTooLarge = (maxBytes: number) =>
  payloadTooLarge(`The body is larger than ${maxBytes} bytes after decoding. Send less at a time.`, maxBytes);
