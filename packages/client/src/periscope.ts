import type { BatchResult, Context, HistoryItem, KeyInfo, LiveEvent, LiveTicket, SearchHit, SyncResult } from "@periscope/schemas";
import { batchResultShape, contextShape, keyInfoShape, liveTicketShape, syncResultShape } from "./answers/answer-shapes.js";
import type { Shape } from "./answers/shape.js";
import { type Call, readAnswer, StartedCall } from "./call.js";
import { PeriscopeData } from "./data.js";
import { type ApiRequest, contextPath, queryOf } from "./http/api-request.js";
import type { Answer } from "./http/attempt.js";
import { PeriscopeError } from "./errors/periscope-error.js";
import { errorBodyOf, isNoPath } from "./http/error-of.js";
import { send, type Sent } from "./http/send.js";
import { followLive, type LiveOptions, type ResyncEvent } from "./live.js";
import type { CallOptions, PeriscopeOptions } from "./options.js";
import type { Paged } from "./paged.js";
import { type HistoryPage, historyPages, type SearchPage, searchPages } from "./pages.js";
import type { ContentWindow, CurrentQuery, HistoryQuery, SearchQuery } from "./queries.js";
import { type Settings, settingsOf } from "./settings.js";
import type { BatchOutcome } from "./sync/batch-outcome.js";
import { type NewMessage, writeMessage } from "./sync/new-message.js";
import { type Messages, syncAll } from "./sync/sync-all.js";

/** What no JSON is like. */
const nothingShape: Shape = ["one"];

/** Whether something was there to delete. */
export interface Deleted {
  /** False when there was no such context. True also when an earlier attempt of the same call, whose answer was lost, may have deleted it. */
  deleted: boolean;
}

/**
 * A client of Periscope: what the user is viewing, and what they viewed.
 *
 * Every call ends by its deadline, is repeated when it failed for a passing reason, and rejects with a `PeriscopeError`.
 *
 * @example
 * import { Periscope } from "@periscope/client";
 * const periscope = new Periscope({ baseUrl: "http://127.0.0.1:3000/api/v1", apiKey: process.env.PERISCOPE_API_KEY });
 * const context = await periscope.current();
 */
export class Periscope {
  readonly #options: PeriscopeOptions;
  readonly #settings: Settings;

  /**
   * Without `baseUrl` and `apiKey` these are taken from PERISCOPE_BASE_URL and PERISCOPE_API_KEY.
   * @throws PeriscopeError that names the setting that is missing or wrong
   */
  constructor(options: PeriscopeOptions = {}) {
    this.#options = { ...options };
    this.#settings = settingsOf(this.#options);
  }

  /** Address of the service, with its version prefix. */
  get baseUrl(): string {
    return this.#settings.baseUrl;
  }

  /**
   * The API key in use: its user, scopes, expiry, and where the user stands in each rate limit. Any valid key may ask.
   *
   * @example
   * const { userId, scopes, limits } = await periscope.key();
   * if (!scopes.includes("delete")) console.log("This key cannot delete.", limits.read.remaining);
   */
  key(options: CallOptions = {}): Call<KeyInfo> {
    const sent = this.#send(() => ({ method: "GET", path: "/key", query: "" }), options);
    return new StartedCall(sent, (result) => readAnswer(result, keyInfoShape) as KeyInfo);
  }

  /**
   * What the person looks at: the context viewed last, with its content; null when there is none yet.
   *
   * @example
   * const context = await periscope.current({ maxChars: 4_000 });
   * if (context) console.log(context.title, context.content);
   */
  current(query: CurrentQuery = {}, options: CallOptions = {}): Call<Context | null> {
    const sent = this.#send(() => ({ method: "GET", path: "/context/current", query: queryOf(query) }), options, isNotFound);
    return new StartedCall(sent, (result) => (result.answer.status === 404 ? null : (readAnswer(result, contextShape) as Context)));
  }

  /**
   * All contexts, newest first, without their content: awaited a page, iterated every one.
   *
   * @example
   * for await (const { title, url } of periscope.history({ since: "2026-01-31T00:00:00Z" })) console.log(title, url);
   */
  history(query: HistoryQuery = {}, options: CallOptions = {}): Paged<HistoryItem, HistoryPage> {
    return historyPages(query, (asked) => this.#send(() => ({ method: "GET", path: "/context/history", query: queryOf(asked) }), options));
  }

  /**
   * Contexts by their text, title, address and metadata, best first: awaited a page, iterated the first 10,000. For more matches, narrow it
   * by time.
   *
   * @example
   * const { items, total } = await periscope.search("lighthouse lens");
   * const pdfs = await periscope.search({ query: "lens", urlPattern: "*.pdf" }).toArray({ limit: 100 });
   */
  search(query: SearchQuery | string, options: CallOptions = {}): Paged<SearchHit, SearchPage> {
    const wanted = typeof query === "string" ? { query } : query;
    return searchPages(wanted, (asked) => this.#send(() => ({ method: "GET", path: "/context/search", query: queryOf(asked) }), options));
  }

  /**
   * One context, with its content. Rejects with `NotFoundError` when there is no such context.
   *
   * @example
   * const { content, nextContentCursor } = await periscope.get(hit.contextId, { maxChars: 4_000 });
   */
  get(contextId: string, query: ContentWindow = {}, options: CallOptions = {}): Call<Context> {
    const sent = this.#send(() => ({ method: "GET", path: contextPath(contextId), query: queryOf(query) }), options);
    return new StartedCall(sent, (result) => readAnswer(result, contextShape) as Context);
  }

  /**
   * Deletes one context for ever. Deleting what is not there is no error.
   *
   * @example
   * const { deleted } = await periscope.delete(contextId);
   */
  delete(contextId: string, options: CallOptions = {}): Call<Deleted> {
    const sent = this.#send(() => ({ method: "DELETE", path: contextPath(contextId), query: "" }), options, isNotFound);
    return new StartedCall(sent, (result) => ({ deleted: readGone(result) }));
  }

  /**
   * Sends one message. It has its id before it is first sent, so that no repeat takes effect twice.
   *
   * @example
   * const { contextId, redactions } = await periscope.sync({ type: "create", payload: { context } });
   */
  sync(message: NewMessage, options: CallOptions = {}): Call<SyncResult> {
    const sent = this.#send(() => post("/context/sync", writeMessage(message).json), options);
    return new StartedCall(sent, (result) => readAnswer(result, syncResultShape) as SyncResult);
  }

  /**
   * Sends any number of messages, in order, in batches of at most 100 and of bounded size. Never rejects: what became of each message is in
   * the outcome. Each batch has a deadline of its own; when one fails as a whole, sending ends and `stoppedBy` says why.
   *
   * @example
   * const outcome = await periscope.syncAll(messages);
   * for (const item of outcome.items) if (item.status === "failed") console.log(item.index, item.code, item.message);
   * outcome.throwIfFailed();
   */
  async syncAll(messages: Messages, options: CallOptions = {}): Promise<BatchOutcome> {
    const sendBatch = async (json: string) => {
      const sent = await this.#send(() => post("/context/batch-sync", json), options);
      return readAnswer(sent, batchResultShape) as BatchResult;
    };
    return await syncAll(messages, sendBatch, options.signal);
  }

  /**
   * Follows what the person views, as it happens: what is created, updated, viewed and deleted, and what is current. Connects again when
   * the connection breaks, and continues after the last event. Yields `{ event: "resync", current }` where events were missed that are no
   * longer kept. Throws `PeriscopeError` when the service refuses the key.
   *
   * @example
   * for await (const change of periscope.live({ signal })) if (change.event === "current.changed") console.log(change.context?.title);
   */
  live(options: LiveOptions = {}): AsyncGenerator<LiveEvent | ResyncEvent, void, undefined> {
    const { baseUrl, log } = this.#settings;
    const mayPass = (error: unknown) => PeriscopeError.is(error) && error.retryable;
    const ticket = async (signal: AbortSignal | undefined) => {
      const sent = await this.#send(() => ({ method: "POST", path: "/live/tickets", query: "" }), { signal });
      return (readAnswer(sent, liveTicketShape) as LiveTicket).ticket;
    };
    return followLive(options, { baseUrl, log, ticket, mayPass });
  }

  /**
   * The user's whole data: export, import, retention, deleting many, erasing.
   *
   * @example
   * for await (const item of periscope.data.export()) console.log(item.kind);
   */
  get data(): PeriscopeData {
    return new PeriscopeData(this.#settings);
  }

  /**
   * A client with some settings changed; this one stays as it is.
   *
   * @example
   * const patient = periscope.with({ deadlineMs: 300_000 });
   */
  with(options: PeriscopeOptions): Periscope {
    return createClient({ ...this.#options, ...options });
  }

  /** Where it sends to, and no more: the key is in no log that holds a client. */
  toJSON(): { baseUrl: string } {
    return { baseUrl: this.baseUrl };
  }

  /** What `console.log` of Node, Deno and Bun shows. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `Periscope { baseUrl: ${JSON.stringify(this.baseUrl)} }`;
  }

  /** Starts a call. What is wrong with its input rejects it as anything else does. */
  async #send(request: () => ApiRequest, options: CallOptions, accepts?: (answer: Answer) => boolean): Promise<Sent> {
    return await send({ request: request(), options, accepts }, this.#settings);
  }
}

/** Outside of the class: the bundler renames a class that names itself. */
const createClient = (options: PeriscopeOptions) => new Periscope(options);

function post(path: string, body: string): ApiRequest {
  return { method: "POST", path, query: "", body };
}

/** Whether a delete took effect. Any page of a proxy can be a 200, which says nothing about contexts. */
function readGone(result: Sent): boolean {
  const { status } = result.answer;
  if (status !== 204 && status !== 404) readAnswer(result, nothingShape);
  return status === 204 || result.unsure;
}

/** A 404 in the service's own words, about a context: where there is no such path, nothing is said about contexts. */
function isNotFound({ status, text }: Answer): boolean {
  const said = status === 404 ? errorBodyOf(text) : undefined;
  return said?.error === "not_found" && !isNoPath(said);
}
