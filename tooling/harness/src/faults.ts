import type { Fault } from "./fault-proxy.ts";

/** Cuts the connection before anything of the body is read. */
export const cutsBeforeReading: Fault = ({ cut }) => cut();

/** Lets the server store, and cuts the connection before anything of the answer is out. */
export const cutsAfterStoring: Fault = async ({ forward, cut }) => {
  await forward();
  cut();
};

/** Refuses as the service does, without asking it. */
export const refuses =
  (status: number, code: string, headers: Record<string, string> = {}): Fault =>
  async ({ read, send }) => {
    await read();
    send({
      status,
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ error: code, message: `It is ${code}.` }),
    });
  };

/** Answers as the page of a captive portal does. */
export const portal: Fault = async ({ read, send }) => {
  await read();
  send({ status: 200, headers: { "content-type": "text/html" }, body: "<!doctype html><title>Welcome</title><p>Please sign in." });
};

/** Stores, and answers with the first half of the JSON. */
export const truncates: Fault = async ({ forward, send }) => {
  const { status, body } = await forward();
  send({ status, body: body.slice(0, body.length / 2) });
};

/** Stores, and ends the connection in the middle of the answer. */
export const cutsAnswer: Fault = async ({ forward, response, cut }) => {
  const { status, body } = await forward();
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  await new Promise<void>((resolve) => response.write(body.slice(0, body.length / 2), () => resolve()));
  cut();
};

/** Never answers. */
export const stalls: Fault = async ({ read }) => void (await read());

/** Begins an answer and never ends it. */
export const stallsInBody: Fault = async ({ read, response }) => {
  await read();
  response.writeHead(207, { "content-type": "application/json", "content-length": 1_000 }).write('{"a":');
};

/** A fault that stands still at a moment until it is told to go on. */
export interface Stand {
  fault: Fault;
  /** Resolves when a request has come to the moment. */
  reached: Promise<void>;
  /** Lets it go on. */
  release(): void;
}

/** Reads the first bytes of the body, and no more until it is released; then the connection is cut. */
export function standsInBody(): Stand {
  return standing(async ({ request, cut }, stand) => {
    await new Promise<void>((resolve) => request.once("data", () => (request.pause(), resolve())));
    await stand();
    cut();
  });
}

/** Lets the server store, and holds the answer back until it is released. */
export function standsBeforeAnswer(): Stand {
  return standing(async ({ forward, send }, stand) => {
    const answer = await forward();
    await stand();
    send(answer);
  });
}

/** Reads the request, and hands it on when it is released. */
export function standsBeforeStoring(): Stand {
  return standing(async ({ read, forward, send }, stand) => {
    await read();
    await stand();
    send(await forward());
  });
}

function standing(act: (exchange: Parameters<Fault>[0], stand: () => Promise<void>) => Promise<void>): Stand {
  const { promise: reached, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  return {
    reached,
    release,
    fault: (exchange) =>
      act(exchange, () => {
        arrive();
        return released;
      }),
  };
}
