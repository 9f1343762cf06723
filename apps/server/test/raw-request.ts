import { type OutgoingHttpHeaders, request } from "node:http";
import type { Answer } from "./test-client.js";

export interface RawRequest {
  method?: string;
  /** Sent as it stands: neither dots nor percent signs are normalised, as `fetch` does. */
  path: string;
  headers?: OutgoingHttpHeaders;
  /** Whole bytes, or parts that are sent one by one, chunked. */
  body?: string | Uint8Array | Iterable<Uint8Array> | undefined;
}

/** An answer whose body may be other than JSON. */
export interface RawAnswer extends Answer {
  text: string;
}

/** Sends a request whose every byte the test chooses, on a connection of its own, to the server of `baseUrl`. */
export function rawRequest(baseUrl: string, { method = "GET", path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const askedAt = Date.now();
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname: hostname.replaceAll(/[[\]]/g, ""), port, method, path, headers, agent: false }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on("data", (part: Buffer) => parts.push(part)).on("error", reject);
      incoming.on("end", () => {
        const text = Buffer.concat(parts).toString("utf8");
        const named = Object.entries(incoming.headersDistinct);
        const received = new Headers(named.flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value])));
        const type = received.get("content-type") ?? "";
        const isJson = type.startsWith("application/json");
        const parsed = isJson && text !== "" ? JSON.parse(text) : type.startsWith("application/x-ndjson") ? text : undefined;
        resolve({ status: incoming.statusCode ?? 0, headers: received, askedAt, text, body: parsed });
      });
    });
    outgoing.on("error", reject);
    const isWhole = body === undefined || typeof body === "string" || body instanceof Uint8Array;
    if (!isWhole) for (const part of body) outgoing.write(part);
    outgoing.end(isWhole ? body : undefined);
  });
}
