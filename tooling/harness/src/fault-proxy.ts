import { createServer, type IncomingHttpHeaders, type IncomingMessage, request as requestOf, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer, text } from "node:stream/consumers";

/** An answer with its whole body. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** One request on its way through the proxy. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Reads the body, once. */
  read(): Promise<unknown>;
  /** Reads the body and hands it to the server; resolves to its whole answer, of which the client has nothing yet. */
  forward(): Promise<Answer>;
  send(answer: Pick<Answer, "status" | "body"> & { headers?: IncomingHttpHeaders }): void;
  /** Cuts the connection. */
  cut(): void;
}

/** Does something else with a request than handing it on and back. */
export type Fault = (exchange: Exchange) => Promise<void> | void;

/** Stands between a browser and the server, in this process. */
export interface FaultProxy extends AsyncDisposable {
  /** With `/api/v1`. */
  baseUrl: string;
  /** What it does with the next batches, one each; when they are used up, what `always` says. */
  faults: Fault[];
  always: Fault;
  /** Ids of the messages in each batch that was read, in order of arrival. */
  batches: string[][];
  /** Requests that arrived, read or not. */
  arrived: number;
  /**
   * Whether connections are used again. Chromium sends a request once more by itself, POST or not, when a used connection ends before the answer
   * begins. Default false, so that a fault meets the request that it was made for.
   */
  keepsAlive: boolean;
  /** The most requests that were on their way at once. */
  openMax: number;
  /** Forgets every fault and `openMax`, and closes the connections that wait to be used again. */
  reset(): void;
}

/** A proxy before the server at `target`, its base address with `/api/v1`. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let open = 0;
  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: FaultProxy = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    faults: [],
    always: passes,
    batches: [],
    arrived: 0,
    keepsAlive: false,
    openMax: 0,
    reset() {
      Object.assign(proxy, { always: passes, faults: [], keepsAlive: false, openMax: 0 });
      server.closeIdleConnections();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // What a page asks before it sends is none of its batches.
    if (request.method === "OPTIONS") {
      const { status, headers, body } = await ask(`${target}${pathOf(request)}`, request, Buffer.alloc(0));
      response.writeHead(status, headers).end(body);
      return;
    }
    open += 1;
    proxy.openMax = Math.max(proxy.openMax, open);
    proxy.arrived += 1;
    // The client's end: a worker that died has let go of its request.
    response.once("close", () => (open -= 1));
    request.on("error", () => {});
    response.on("error", () => {});
    response.shouldKeepAlive = proxy.keepsAlive;
    let batch: Promise<Buffer> | undefined;
    const read = () => (batch ??= readBatch(request));
    await (proxy.faults.shift() ?? proxy.always)({
      request,
      response,
      read,
      forward: async () => await ask(`${target}${pathOf(request)}`, request, await read()),
      send({ status, headers = { "content-type": "application/json" }, body }) {
        const { "content-length": _, "transfer-encoding": _coding, "keep-alive": _alive, connection: _connection, ...rest } = headers;
        if (!response.destroyed) response.writeHead(status, rest).end(body);
      },
      cut: () => void request.socket.destroy(),
    });
  }

  async function readBatch(request: IncomingMessage): Promise<Buffer> {
    const body = await buffer(request);
    const { messages } = JSON.parse(body.toString()) as { messages: { id: string }[] };
    proxy.batches.push(messages.map(({ id }) => id));
    return body;
  }
}

const pathOf = ({ url = "" }: IncomingMessage): string => url.replace("/api/v1", "");

/** Hands a request on, and its answer back. */
export const passes: Fault = async (exchange) => exchange.send(await exchange.forward());

async function ask(url: string, { method, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = requestOf(url, { method, headers: { ...headers, host: new URL(url).host } }, resolve);
    request.once("error", reject);
    request.end(body);
  });
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}
