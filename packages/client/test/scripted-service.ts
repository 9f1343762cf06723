import { http, HttpResponse } from "msw";
import { Periscope, type PeriscopeOptions } from "../src/index.js";
import { interceptedNetwork } from "./intercepted-network.js";

/** A request as it reached the service. */
export interface Received {
  method: string;
  path: string;
  headers: Headers;
  /** Text of the body; empty without one. */
  body: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** What the service does with a request: answers, or cuts the connection, or never answers. */
export type Reply = (received: Received) => Response | Promise<Response>;

const baseUrl = "http://periscope.test/api/v1";

/** A service that answers by a script: the first request by the first reply, each one past the end by the last. */
export class ScriptedService implements Disposable {
  readonly received: Received[] = [];
  readonly #network;

  constructor(...replies: Reply[]) {
    this.#network = interceptedNetwork(
      http.all(`${baseUrl}/*`, async ({ request }) => {
        const { method, url, headers } = request;
        const received = { method, path: url.slice(baseUrl.length), headers, body: await request.text(), at: Date.now() };
        this.received.push(received);
        const reply = replies[Math.min(this.received.length, replies.length) - 1];
        if (reply === undefined) throw new Error("The script is empty.");
        return await reply(received);
      }),
    );
    this.#network.enable();
  }

  client(options: PeriscopeOptions = {}): Periscope {
    return new Periscope({ baseUrl, apiKey: "psk_test_0123456789", logLevel: "off", ...options });
  }

  [Symbol.dispose](): void {
    this.#network.disable();
  }
}

const requestId = "req-7";

/** Answers with JSON. */
export const answers =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  () =>
    HttpResponse.json(body as object, { status, headers: { "X-Request-Id": requestId, ...headers } });

/** Answers with an error of the service. */
export const refuses = (status: number, error: string, headers: Record<string, string> = {}, more: object = {}): Reply =>
  answers(status, { error, message: `It is ${error}.`, requestId, ...more }, headers);

/** Answers as the service does to a path that it does not have. */
export const hasNoRoute: Reply = (received) => {
  const message = "There is nothing at this path. See /api/v1/docs.";
  return refuses(404, "not_found", {}, { message })(received);
};

/** Answers as a proxy does: with a page. */
export const page =
  (status: number, text = "<html><title>Welcome</title></html>"): Reply =>
  () =>
    new HttpResponse(text, { status, headers: { "Content-Type": "text/html" } });

/** Answers without a body. */
export const empty =
  (status: number): Reply =>
  () =>
    new HttpResponse(null, { status, headers: { "X-Request-Id": requestId } });

/** Takes the request in and cuts the connection: it may have taken effect. */
export const cuts: Reply = () => HttpResponse.error();

/** Takes the request in and never answers. */
export const stalls: Reply = () => new Promise(() => {});

/** Answers the head and the start of the body, and no more. */
export const stallsInBody: Reply = () =>
  new HttpResponse(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode('{"contexts":[')) }), {
    headers: { "Content-Type": "application/json", "Content-Length": "1000" },
  });

/** Answers the head and the start of the body, and cuts the connection. */
export const cutsInBody: Reply = () => {
  const chunks = ['{"contexts":['];
  const body = new ReadableStream({
    pull(stream) {
      const chunk = chunks.shift();
      if (chunk === undefined) stream.error(new TypeError("terminated"));
      else stream.enqueue(new TextEncoder().encode(chunk));
    },
  });
  return new HttpResponse(body, { headers: { "Content-Type": "application/json", "Content-Length": "1000" } });
};
