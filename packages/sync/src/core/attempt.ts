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
  type ConnectionProblem,
  troubleOfAnswer,
  troubleOfFailure,
  withinTime,
} from "./connection.js";
import { markOf } from "./message.js";
import type { Settings } from "./options.js";
import type { AccountState } from "./rows.js";

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
  | { is: "too-large"; maxBytes: number | undefined; error: string }
  | { is: "poison"; code: string; error: string }
  /** The key was refused; or nothing was sent, for want of address or key. */
  | ({ is: "unauthorized"; refused?: string } & ConnectionProblem)
  | ({ is: "failed"; afterMs: number; isRateLimit: boolean } & ConnectionProblem)
  /** The account changed, or there is still no key or none but the refused one: nothing was sent. */
  | { is: "held"; by: "account" | "auth" };

/** How it ended, and whether anything of the messages may have left. */
export type Attempted = AttemptEnd & { hasLeft: boolean };

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
  return { ...end, hasLeft: progress.hasLeft };
}

interface Line {
  signal: AbortSignal;
  /** What is known of the attempt while it runs. */
  progress: { hasLeft: boolean; baseUrl?: string };
}

async function sendWithKey(settings: Settings, batch: Batch, line: Line): Promise<AttemptEnd> {
  const { account, state } = batch;
  const isHeld = state.block?.cause === "auth" && settings.clock.now() < state.block.until;
  let refused = isHeld ? state.refused : undefined;
  let end: AttemptEnd = { is: "held", by: "auth" };
  for (let asked = 0; ; asked += 1) {
    const connection = await resolveConnection(settings, account);
    // The account may have changed while the key was fetched, and the key be that of the other one.
    if ((await settings.account()) !== account) return { is: "held", by: "account" };
    if ("code" in connection) {
      if (connection.code === "wrong-server") return failed(settings, state, connection);
      return isHeld && state.refused === undefined ? { is: "held", by: "auth" } : { is: "unauthorized", ...connection };
    }
    const { baseUrl, apiKey } = connection;
    line.progress.baseUrl = baseUrl;
    const mark = markOf(`${baseUrl} ${apiKey}`);
    if (mark === refused) return end;
    end = await send(settings, batch, { ...line, connection, mark });
    if (end.is !== "unauthorized" || asked > 0) return end;
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
  const outcome: Outcome = { status, headers };
  const code = errorCodeOf(answer.body);
  const error = `The service answered ${status}${code === undefined ? "" : ` ${code}`}.`;
  if (status >= 200 && status < 300) {
    const ids = messages.map(({ id }) => id);
    const verdicts = readAnswer(answer.body, envelopeId, ids);
    if (verdicts !== undefined) return { is: "answered", verdicts };
    return failed(settings, state, { code: "wrong-server", error: otherAnswered });
  }
  if (status === 413) return { is: "too-large", maxBytes: maxBytesOf(answer.body), error };
  const trouble = troubleOfAnswer(status, code);
  if (trouble?.code === "key-refused") return { is: "unauthorized", refused: mark, ...trouble };
  // Only the service's own word makes a message the cause: a proxy says 400 to anything.
  if (status === 400 && code !== undefined) return { is: "poison", code, error };
  const cause = status === 429 ? "rate-limit" : status >= 500 ? "service" : "wrong-server";
  return failed(settings, state, { code: cause, error, ...trouble, outcome });
}

function failed(
  { clock, random }: Settings,
  { failures, limited }: AccountState,
  { outcome, code, error }: ConnectionProblem & { outcome?: Outcome },
): AttemptEnd {
  const known = { attempt: Math.max(failures, limited) + 1, now: clock.now(), random, idempotent: true };
  const next = outcome && decide({ outcome, ...known });
  // A refusal of the whole, such as 404 for a wrong address, says nothing of its messages: they wait, as for a server that is down.
  const waiting = next?.action === "retry" ? next : decide({ outcome: { error: "network" }, ...known });
  const afterMs = waiting.action === "retry" ? waiting.afterMs : 0;
  return { is: "failed", afterMs, isRateLimit: code === "rate-limit", error, code };
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
