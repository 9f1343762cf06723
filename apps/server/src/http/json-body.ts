import { limits } from "@periscope/schemas";
import express, { type Request, type Response } from "express";
import { badRequest, DomainError } from "../domain-error.js";

const parse = express.json({ limit: limits.bodyBytesMax, type: isJson, strict: false });

/**
 * Reads a JSON body, decoded from gzip, br or deflate, never more than the limit.
 * Throws `unsupported_media_type`, `bad_request`, or the body parser's error, which the error mapper knows.
 */
export async function readJsonBody(req: Request, res: Response): Promise<unknown> {
  if (!hasBody(req)) throw badRequest("body: required; send a JSON object.");
  if (!isJson(req)) throw new DomainError("unsupported_media_type", "The body must be JSON; send it with Content-Type: application/json.");
  if (!isDecodable(req))
    throw new DomainError("unsupported_media_type", "This Content-Encoding is not understood; send gzip, br, deflate or none.");
  await new Promise<void>((resolve, reject) => {
    parse(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
  return req.body as unknown;
}

// The parser takes whatever this Node can decode, zstd for one; the contract names three.
function isDecodable({ headers }: Request): boolean {
  return /^(?:gzip|br|deflate|identity)$/i.test(headers["content-encoding"] ?? "identity");
}

function hasBody(req: Request): boolean {
  return req.headers["transfer-encoding"] !== undefined || Number(req.headers["content-length"] ?? 0) > 0;
}

function isJson({ headers }: { headers: Request["headers"] }): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(headers["content-type"] ?? "");
}
