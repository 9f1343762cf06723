/** A message as the service took it. */
export interface StoredMessage {
  id: string;
  type: string;
  json: string;
  /** The key that it came with. */
  key: string;
}

/** A batch as it reached the service. */
export interface ReceivedBatch {
  key: string;
  ids: string[];
  /** UTF-8 bytes of the body. */
  bytes: number;
}

/** Does something else with a request than the service would; `store` does what it would, and answers as it would. */
export type Fault = (store: () => Response, batch: ReceivedBatch) => Response | Promise<Response>;

/** The service as a queue sees it: takes batches, knows each id once, answers item by item, and says whose a key is. */
export interface FakeService {
  /** For the `fetch` of a queue; in an msw handler, `({ request }) => service.fetch(request.url, request)`. */
  fetch(url: string, init: Pick<RequestInit, "headers" | "body"> | Request): Promise<Response>;
  /** What it stored, by id, in order of arrival. */
  readonly stored: ReadonlyMap<string, StoredMessage>;
  /** Every request that reached it. */
  readonly received: readonly ReceivedBatch[];
  /** What it does with the next requests, one each; when they are used up, what `always` says. */
  readonly faults: Fault[];
  /** What it does with every request that has no fault of its own. Default: stores and answers. */
  always: Fault;
  /** What it answers to `GET /key`. Default: a key of `ada` that may write. */
  key: () => Response;
  /** What it says of a message instead of storing it; undefined lets it be stored. Default: stores all. */
  judge: (message: { id: string; type: string; json: string }) => { code: string; retryable: boolean } | undefined;
}

interface SentMessage {
  id: string;
  type: string;
  payload?: { contextId?: string; context?: { id?: string } };
}

/** A service in memory. */
export function fakeService(): FakeService {
  const stored = new Map<string, StoredMessage>();
  const received: ReceivedBatch[] = [];
  const faults: Fault[] = [];
  const service: FakeService = {
    stored,
    received,
    faults,
    always: (store) => store(),
    key: () => answers(200, { userId: "ada", scopes: ["write"] }),
    judge: () => undefined,
    async fetch(url, init) {
      if (url.endsWith("/key")) return service.key();
      const text = await (init instanceof Request ? init : new Response(init.body ?? null)).text();
      const key = new Headers(init.headers).get("Authorization")?.replace("Bearer ", "") ?? "";
      const { id, messages } = JSON.parse(text) as { id: string; messages: SentMessage[] };
      const batch = { key, ids: messages.map((message) => message.id), bytes: new TextEncoder().encode(text).length };
      received.push(batch);
      const store = () => answers(207, { ...take(messages, key), messageId: id, status: "partial" });
      return await (faults.shift() ?? service.always)(store, batch);
    },
  };
  return service;

  function take(messages: readonly SentMessage[], key: string) {
    const timestamp = new Date(0).toISOString();
    const results = messages.map((message) => {
      const { id: messageId, type, payload } = message;
      const json = JSON.stringify(message);
      const found = stored.get(messageId);
      if (found?.json === json) return { messageId, status: "success", timestamp, duplicate: true };
      const refusal = found === undefined ? service.judge({ id: messageId, type, json }) : { code: "message_id_reused", retryable: false };
      if (refusal !== undefined) return { messageId, status: "error", timestamp, error: { ...refusal, message: `It is ${refusal.code}.` } };
      stored.set(messageId, { id: messageId, type, json, key });
      const { contextId = payload?.context?.id } = payload ?? {};
      return { messageId, status: "success", timestamp, ...(contextId !== undefined && { contextId }) };
    });
    const failed = results.filter(({ status }) => status === "error").length;
    return { results, synced: results.length - failed, failed };
  }
}

/** An answer in JSON. */
export function answers(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
}

/** Refuses a request as the service does: with a status, a code and perhaps headers. */
export const refuses =
  (status: number, error: string, headers: Record<string, string> = {}): Fault =>
  () =>
    answers(status, { error, message: `It is ${error}.` }, headers);

/** Stores, and cuts the connection before anything of the answer is out. */
export const cutsAfterStoring: Fault = (store) => {
  store();
  throw new TypeError("fetch failed");
};

/** Cuts the connection before anything is stored. */
export const cuts: Fault = () => {
  throw new TypeError("fetch failed");
};

/** Answers as the page of a captive portal does. */
export const portal: Fault = () => new Response("<html><title>Welcome</title></html>", { headers: { "Content-Type": "text/html" } });

/** Never answers. */
export const stalls: Fault = () => new Promise(() => {});
