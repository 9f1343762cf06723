import { limits } from "@periscope/schemas";
import express, { type Request, type Response } from "express";
import { badParameter, badRequest, DomainError } from "../domain-error.js";
import { checkJsonBounds } from "./json-bounds.js";

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
    if (lostPlus.test(value)) throw badParameter(key, "has a space where + was meant; write + as %2B, or end the time with Z");
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

const parse = express.json({ limit: limits.bodyBytesMax, type: isJson, strict: false, verify: checkBody });

function checkBody(_req: unknown, _res: unknown, body: Uint8Array, charset: string): void {
  // The parser takes UTF-16 and UTF-32, too, whose bytes cannot be scanned.
  if (charset !== "utf-8") throw new DomainError("unsupported_media_type", "This charset is not supported. Send JSON in UTF-8.");
  checkJsonBounds(body);
}

/**
 * Reads a JSON body, decoded from gzip, br or deflate, up to the size limit.
 * Throws `unsupported_media_type`, `bad_request`, or the body parser's error, which errors.ts maps.
 */
export async function readJsonBody(req: Request, res: Response): Promise<unknown> {
  const { headers } = req;
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (!hasBody) throw badRequest("body: required. Send a JSON object.");
  if (!isJson(req)) throw new DomainError("unsupported_media_type", "The body must be JSON. Send it with Content-Type: application/json.");
  // The parser takes whatever Node can decode, such as zstd; the contract names three.
  if (!/^(?:gzip|br|deflate|identity)$/i.test(headers["content-encoding"] ?? "identity"))
    throw new DomainError("unsupported_media_type", "This Content-Encoding is not supported. Send gzip, br, deflate or none.");
  await new Promise<void>((resolve, reject) => {
    parse(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
  return req.body as unknown;
}

function isJson({ headers }: { headers: Request["headers"] }): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(headers["content-type"] ?? "");
}
