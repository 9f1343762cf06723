import type { IncomingMessage, ServerResponse } from "node:http";
import { type Site, startSite } from "@periscope/harness/site";

type Fault = (request: IncomingMessage, response: ServerResponse) => void;

const limited =
  (retryAfter: number): Fault =>
  (_, response) => {
    const headers = { "Retry-After": retryAfter, "X-RateLimit-Limit": 5, "X-RateLimit-Remaining": 0, "X-RateLimit-Reset": 4_102_444_800 };
    response.writeHead(429, headers).end('{"error":"rate_limited","message":"too many"}');
  };

const page =
  (status: number): Fault =>
  (_, response) => {
    response.writeHead(status, { "Content-Type": "text/html" }).end("<html>Welcome</html>");
  };

/** Gives a ticket, which names the fault as the key does, and refuses the connection. */
const refuses =
  (status: number): Fault =>
  ({ method }, response) => {
    const ticket = { ticket: `live-${status}`, expiresAt: "2100-01-01T00:00:00Z" };
    if (method === "POST") response.writeHead(201).end(JSON.stringify(ticket));
    else response.writeHead(status).end();
  };

/** Faults by name. The name stands in the key; a name that ends in `-once` is a fault for the first request of a key. */
const faults: Readonly<Record<string, Fault>> = {
  "cut-once": (request) => void request.socket.destroy(),
  "limit-once": limited(1),
  limit: limited(3_600),
  login: page(200),
  "bad-gateway": page(502),
  redirect: (_, response) => void response.writeHead(308, { Location: "/elsewhere" }).end(),
  stall() {},
  "stall-body": (_, response) => void response.writeHead(200, { "Content-Length": 1_000 }).write('{"a":'),
  "stall-endless-body": (_, response) => void response.writeHead(200, { Connection: "close" }).write('{"a":'),
  "live-429": refuses(429),
  "live-502": refuses(502),
  echo: (request, response) => void response.writeHead(400).end(`<pre>${request.headers.authorization}</pre>`),
};

/** A service where everything goes wrong that can, as its clients ask for; for any origin. */
export async function startFaultyService(): Promise<Site> {
  const seen = new Set<string>();
  return await startSite(() => (response) => {
    const request = response.req;
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Access-Control-Allow-Headers", "authorization, content-type");
    response.setHeader("Access-Control-Allow-Methods", "*");
    response.setHeader("Access-Control-Expose-Headers", "Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset");
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    const { authorization, "sec-websocket-protocol": protocols } = request.headers;
    const key = authorization?.slice("Bearer ".length) ?? protocols?.split("ticket.")[1] ?? "";
    const name = Object.keys(faults).find((one) => key === one || key.startsWith(`${one}.`) || (one === "echo" && key.startsWith(one)));
    const isOver = name?.endsWith("-once") === true && seen.has(key);
    seen.add(key);
    if (name === undefined || isOver) response.writeHead(404).end('{"error":"not_found","message":"There is no context yet."}');
    else faults[name]?.(request, response);
  });
}
