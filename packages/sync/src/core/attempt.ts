import { decide, newMessageId, type Outcome } from "@periscope/delivery";
import type { PrivacyLevel } from "@periscope/schemas";
import {
  type Connection,
  errorCodeOf,
  isCode,
  otherAnswered,
  readSetting,
  request,
  resolveConnection,
  troubleOfAnswer,
  troubleOfFailure,
  withinTime,
} from "./connection.js";
import type { AccountState } from "./ledger.js";
import { markOf } from "./message.js";
import type { Settings } from "./options.js";
import type { BlockReason, Trouble } from "./outcomes.js";

export interface Outgoing {
  id: string;
  json: string;
}

export type Verdict =
  | { is: "stored"; isDuplicate: boolean; contextId?: string; privacyLevel?: PrivacyLevel }
  | { is: "refused"; code: string; message: string }
  /** It can succeed later; or the answer said nothing, or contradicted itself: then it counts as not sent. */
  | { is: "unsent"; code: string };

export type AttemptEnd =
  | { is: "answered"; verdicts: Map<string, Verdict> }
  /** The whole batch, for its size or for a message that cannot be read. */
  | { is: "refused"; code: string; error: string; maxBytes?: number | undefined }
  /** Nothing is sent for so long. `refused`: the mark of a key that the service refused. */
  | ({ is: "blocked"; reason: BlockReason; ms: number; refused?: string } & Trouble)
  /** The account changed, or there is still no key or none but the refused one: nothing was sent. */
  | { is: "held"; by: "account" | "auth" };

/** The code of a message that is too large alone. */
export const tooLarge = "payload_too_large";
/** How long a refused key is not tried again: 5 minutes, as for a server that is down. */
const refusedMs = 300_000;

/** In place of the mark of a server, for an invalid address: every server counts as another one. */
const noServer = "no server";

/** How it ended, whether anything of the messages may have left, and the mark of the server. */
export type Attempted = AttemptEnd & { hasLeft: boolean; server?: string | undefined };

interface Batch {
  account: string;
  state: AccountState;
  messages: readonly Outgoing[];
}

/**
 * Sends a batch once; after a 401 or 403 once more if there is another key by then. Ends within `timeoutMs`, however key, line or body hang.
 * Never rejects.
 */
export async function attempt(settings: Settings, batch: Batch): Promise<Attempted> {
  const progress: Line["progress"] = { hasLeft: false };
  const end = await withinTime(settings, settings.timeoutMs, (signal) => sendWithKey(settings, batch, { signal, progress })).catch(
    async (error: unknown) => failed(settings, batch.state, await troubleOfFailure(settings, error, progress.baseUrl)),
  );
  return { server: progress.baseUrl === undefined ? undefined : markOf(progress.baseUrl), ...end, hasLeft: progress.hasLeft };
}

interface Line {
  signal: AbortSignal;
  /** What is known of the attempt while it runs. */
  progress: { hasLeft: boolean; baseUrl?: string };
}

async function sendWithKey(settings: Settings, batch: Batch, line: Line): Promise<AttemptEnd & { server?: string }> {
  const { account, state } = batch;
  const held = state.block?.reason === "auth" && settings.clock.now() < state.block.until ? state.block : undefined;
  let refused = held?.refused;
  let end: AttemptEnd = { is: "held", by: "auth" };
  for (let asked = 0; ; asked += 1) {
    const connection = await resolveConnection(settings, account);
    // The account may have changed while the key was fetched, and the key be that of the other one.
    if ((await settings.account()) !== account) return { is: "held", by: "account" };
    if ("code" in connection) {
      if (connection.code === "wrong-server") return { ...failed(settings, state, connection), server: noServer };
      return held !== undefined && held.refused === undefined ? end : { is: "blocked", reason: "auth", ms: refusedMs, ...connection };
    }
    const { baseUrl, apiKey } = connection;
    line.progress.baseUrl = baseUrl;
    const mark = markOf(`${baseUrl} ${apiKey}`);
    if (mark === refused) return end;
    end = await send(settings, batch, { ...line, connection, mark });
    if (end.is !== "blocked" || end.reason !== "auth" || asked > 0) return end;
    refused = mark;
  }
}

async function send(
  settings: Settings,
  { account, messages, state }: Batch,
  { connection, mark, signal, progress }: Line & { connection: Connection; mark: string },
): Promise<AttemptEnd> {
  const { clock, hook } = settings;
  const envelopeId = newMessageId(clock.now());
  const extensionId = await readSetting(settings.extensionId, account);
  // Under another id, or none, a message that was sent before would be another one.
  if (extensionId === undefined) throw new Error("`extensionId` failed.");
  const extension = extensionId === "" ? "" : `"extensionId":${JSON.stringify(extensionId)},`;
  const body = `{"id":"${envelopeId}","type":"batch",${extension}"messages":[${messages.map(({ json }) => json).join(",")}]}`;
  await hook("before-send");
  // What is over must not send after all, as when the key came too late: the messages may be others by then.
  signal.throwIfAborted();
  progress.hasLeft = true;
  const answer = await request(settings, connection, { path: "/context/batch-sync", body, signal });
  await hook("after-answer");
  const { status, headers } = answer;
  if (status >= 200 && status < 300) {
    const ids = messages.map(({ id }) => id);
    const verdicts = readAnswer(answer.body, envelopeId, ids);
    return verdicts === undefined ? failed(settings, state, otherAnswered) : { is: "answered", verdicts };
  }
  const trouble = troubleOfAnswer(answer);
  const code = errorCodeOf(answer.body);
  if (status === 413) return { is: "refused", code: tooLarge, error: trouble.error, maxBytes: maxBytesOf(answer.body) };
  // Only the service's own word makes a message the cause: a proxy says 400 to anything.
  if (status === 400 && code !== undefined) return { is: "refused", code, error: trouble.error };
  if (trouble.code === "key-refused") return { is: "blocked", reason: "auth", ms: refusedMs, refused: mark, ...trouble };
  return failed(settings, state, trouble, { status, headers });
}

function failed({ clock, random }: Settings, { failures, limited }: AccountState, trouble: Trouble, outcome?: Outcome): AttemptEnd {
  const known = { attempt: Math.max(failures, limited) + 1, now: clock.now(), random, idempotent: true };
  const next = outcome && decide({ outcome, ...known });
  // A refusal of the whole, such as 404 for a wrong address, says nothing of its messages: they wait, as for a server that is down.
  const waiting = next?.action === "retry" ? next : decide({ outcome: { error: "network" }, ...known });
  const ms = waiting.action === "retry" ? Math.ceil(waiting.afterMs) : 0;
  return { is: "blocked", reason: trouble.code === "rate-limit" ? "rate-limited" : "backing-off", ms, ...trouble };
}

interface Result {
  messageId?: unknown;
  status?: unknown;
  duplicate?: unknown;
  contextId?: unknown;
  privacyLevel?: unknown;
  error?: { code?: unknown; message?: unknown; retryable?: unknown };
}

/**
 * What an answer to a batch says of each id; undefined when it is no answer of the service, as the page of a captive portal. By id alone:
 * an answer may lack results, repeat them, reorder them, or hold some of other messages, and nothing of ours is stored on the word of those.
 */
function readAnswer(body: unknown, envelopeId: string, ids: readonly string[]): Map<string, Verdict> | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const { messageId, results } = body as { messageId?: unknown; results?: unknown };
  if (messageId !== envelopeId || !Array.isArray(results)) return undefined;
  const verdicts = new Map<string, Verdict>(ids.map((id) => [id, { is: "unsent", code: "no_result" }]));
  const seen = new Map<string, unknown>();
  for (const result of results as (Result | null)[]) {
    const id = result?.messageId;
    if (typeof id !== "string" || !verdicts.has(id)) continue;
    const isContradiction = seen.has(id) && seen.get(id) !== result?.status;
    seen.set(id, result?.status);
    verdicts.set(id, isContradiction ? { is: "unsent", code: "contradiction" } : verdictOf(result ?? {}));
  }
  return verdicts;
}

function verdictOf({ status, duplicate, contextId, privacyLevel, error = {} }: Result): Verdict {
  if (status === "success") {
    const context = {
      ...(typeof contextId === "string" && { contextId }),
      ...(typeof privacyLevel === "string" && { privacyLevel: privacyLevel as PrivacyLevel }),
    };
    return { is: "stored", isDuplicate: duplicate === true, ...context };
  }
  const { code, message, retryable } = error;
  const name = typeof code !== "string" ? "internal_error" : isCode(code) ? code : "unknown";
  // Only an error that says so is for good.
  if (status !== "error" || retryable !== false) return { is: "unsent", code: name };
  return { is: "refused", code: name, message: typeof message === "string" ? message : "The service did not say why." };
}

function maxBytesOf(body: unknown): number | undefined {
  const { maxBytes } = (typeof body === "object" && body !== null ? body : {}) as { maxBytes?: unknown };
  return typeof maxBytes === "number" && maxBytes > 0 ? maxBytes : undefined;
}
