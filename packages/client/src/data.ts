import { backoffMs } from "@periscope/delivery";
import type {
  DeletedMany,
  DeletePreview,
  EraseReceipt,
  ExportedContext,
  ExportedExtension,
  ExportedRetention,
  ExportedRules,
  ExportLine,
  ImportReport,
  RetentionRule,
  StoredRetention,
} from "@periscope/schemas";
import {
  deletedManyShape,
  deletePreviewShape,
  eraseReceiptShape,
  importReportShape,
  storedRetentionShape,
} from "./answers/answer-shapes.js";
import type { Shape } from "./answers/shape.js";
import { type Call, readAnswer, StartedCall } from "./call.js";
import { AbortedError, ConnectionError } from "./errors/call-errors.js";
import { type ApiRequest, queryOf } from "./http/api-request.js";
import type { Answer } from "./http/attempt.js";
import { requestIdOf } from "./http/error-of.js";
import { send, type Sent } from "./http/send.js";
import { wait, within } from "./http/time-limit.js";
import type { CallOptions } from "./options.js";
import type { DeleteConditions, ExportQuery } from "./queries.js";
import { limitsOf, type Settings } from "./settings.js";

/** Something that is stored, as an export has it; `kind` says what. */
export type ExportedItem = ExportedContext | ExportedRules | ExportedRetention | ExportedExtension;

/**
 * The user's whole data: export, import, retention, deleting many, erasing. Needs a key without a maximum privacy level, but for deleting.
 *
 * @example
 * for await (const item of periscope.data.export()) if (item.kind === "context") console.log(item.url, item.content);
 */
export class PeriscopeData {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * Everything that is stored, contexts first, in the order of capture. A connection that breaks off, or brings nothing for `timeoutMs`, is
   * opened again, and goes on behind the last context. Rejects with `ConnectionError` when that happens more often in a row than
   * `maxRetries`. `deadlineMs` bounds how long it takes until a connection is open, not the export, which takes as long as it is read.
   *
   * It ends without an error only after the service's last line, so that nothing is missing. The SHA-256 in that line is not compared: it
   * is there for exports that are kept as files, which `import` and `periscope import` refuse when they were changed.
   */
  async *export(query: ExportQuery = {}, options: CallOptions = {}): AsyncGenerator<ExportedItem> {
    const { maxRetries, timeoutMs } = limitsOf(options, this.#settings.limits);
    const { signal } = options;
    // What follows the contexts comes again when the connection breaks off there.
    let others: ExportedItem[] = [];
    let { after } = query;
    let attempts = 0;
    for (let failures = 0; ; failures++) {
      const request: ApiRequest = { method: "GET", path: "/data/export", query: queryOf({ ...query, after }), unread: true };
      const sent = await send({ request, options }, this.#settings);
      for await (const line of linesOf(sent, timeoutMs, signal)) {
        if (line.kind === "end") return yield* others;
        if (line.kind === "context") {
          failures = 0;
          after = `${line.timestamp},${line.contextId}`;
          yield line;
        } else if (line.kind !== "header") others.push(line);
      }
      others = [];
      attempts += sent.attempts;
      const about = { attempts, requestId: requestIdOf(sent.answer), retryable: true };
      const where = after === undefined ? "" : ` after ${after}`;
      if (failures >= maxRetries && !signal?.aborted)
        throw new ConnectionError(`GET /data/export: the connection broke off${where}`, about);
      if (!(await wait(backoffMs(failures + 1, Math.random), signal)))
        throw new AbortedError("GET /data/export: aborted", { ...about, retryable: false, cause: signal?.reason });
    }
  }

  /**
   * Imports an export: text, bytes or a file, also packed by gzip. One that was cut off or changed is refused, unless `allowPartial`.
   *
   * @example
   * const { created, failures } = await periscope.data.import(await readFile("export.ndjson"));
   */
  import(
    file: string | Uint8Array | Blob,
    { allowPartial = false, ...options }: CallOptions & { allowPartial?: boolean } = {},
  ): Call<ImportReport> {
    const query = allowPartial ? "?allowPartial=true" : "";
    const request: ApiRequest = { method: "POST", path: "/data/import", query, body: file, type: "application/x-ndjson", isLong: true };
    return this.#call(request, importReportShape, options);
  }

  /** How long contexts are kept. */
  retention(options: CallOptions = {}): Call<StoredRetention> {
    return this.#call({ method: "GET", path: "/data/retention", query: "" }, storedRetentionShape, options);
  }

  /**
   * Replaces the retention rules; `[]` keeps everything. The service applies them within the hour.
   *
   * @example
   * await periscope.data.setRetention([{ keepDays: 365 }, { keepDays: 7, site: "news.example" }]);
   */
  setRetention(rules: readonly RetentionRule[], options: CallOptions = {}): Call<StoredRetention> {
    return this.#call(json("PUT", "/data/retention", { rules }), storedRetentionShape, options);
  }

  /** How many contexts meet every condition, with some of them. Deletes nothing. */
  previewDelete(where: DeleteConditions, options: CallOptions = {}): Call<DeletePreview> {
    return this.#call({ ...json("POST", "/context/delete", { where, dryRun: true }), isLong: true }, deletePreviewShape, options);
  }

  /**
   * Deletes the contexts that meet every condition, for ever. Rejects with `ConflictError` when more match than the preview has counted.
   * It is not sent again once it may have taken effect: what came since would be deleted in place of what was counted. An error that is
   * not `retryable` asks for a new preview.
   *
   * @example
   * const where = { site: "news.example" };
   * const { matches, confirm } = await periscope.data.previewDelete(where);
   * await periscope.data.deleteWhere(where, confirm);
   */
  deleteWhere(where: DeleteConditions, confirm: string, options: CallOptions = {}): Call<DeletedMany> {
    const request: ApiRequest = { ...json("POST", "/context/delete", { where, confirm }), unsafe: true, isLong: true };
    return this.#call(request, deletedManyShape, options);
  }

  /**
   * Erases the key's user with everything that is stored, the keys last, and resolves to the receipt. `userId` confirms it. Rejects with
   * `ConnectionError`, which is not `retryable`, when the receipt was lost on its way and the key is no longer valid: the user is most likely erased.
   */
  erase(userId: string, options: CallOptions = {}): Call<EraseReceipt> {
    const request: ApiRequest = { ...json("DELETE", "/data", { confirm: userId }), isLong: true };
    const accepts = ({ status }: Answer, unsure: boolean) => unsure && status === 401;
    const sent = send({ request, options, accepts }, this.#settings).then((sent) => {
      const { answer, attempts } = sent;
      if (answer.status !== 401) return sent;
      const message = "DELETE /data: the receipt was lost on its way. The key is no longer valid: it was erased with its user, or revoked.";
      throw new ConnectionError(message, { attempts, requestId: requestIdOf(answer) });
    });
    return new StartedCall(sent, (result) => readAnswer(result, eraseReceiptShape) as EraseReceipt);
  }

  #call<T>(request: ApiRequest, shape: Parameters<typeof readAnswer>[1], options: CallOptions): Call<T> {
    return new StartedCall(send({ request, options }, this.#settings), (result) => readAnswer(result, shape, request.unsafe) as T);
  }
}

/** What every line of an export has. */
const lineShape: Shape = { kind: "string" };

const json = (method: ApiRequest["method"], path: string, body: unknown): ApiRequest => ({
  method,
  path,
  query: "",
  body: JSON.stringify(body),
});

/**
 * The lines of an export until it ends, or breaks off, which the last line tells apart.
 * @throws ResponseShapeError when a line is none of an export
 */
async function* linesOf({ answer, attempts }: Sent, timeoutMs: number, signal: AbortSignal | undefined): AsyncGenerator<ExportLine> {
  const text = new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>;
  const reader = answer.unread?.pipeThrough(text).getReader();
  const read = (line: string) => readAnswer({ answer: { ...answer, text: line }, attempts }, lineShape) as ExportLine;
  let rest = "";
  try {
    for (;;) {
      const next = await within(timeoutMs, signal, () => reader?.read()).catch(() => undefined);
      if (next === undefined || next.done) break;
      const lines = (rest + next.value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield read(line);
    }
    // Half a line of an export begins as a whole one does; the page of a proxy need not have a second line.
    if (rest !== "" && !rest.startsWith("{")) read(rest);
  } finally {
    void reader?.cancel().catch(() => {});
  }
}
