import { decide, type Decision, newMessageId, type Outcome } from "@periscope/delivery";
import { errorCodeOf, maxBytesOf, readAnswer, type Verdict } from "./answer.js";
import { markOf } from "./mark.js";
import type { Settings, Unreached } from "./options.js";
import type { ErrorCode } from "./outcomes.js";
import type { PartitionState } from "./partition-state.js";

/** A message as it is sent. */
export interface Outgoing {
  id: string;
  json: string;
}

/** How an attempt ended. */
export type AttemptEnd =
  | { is: "answered"; verdicts: Map<string, Verdict> }
  | { is: "too-large"; maxBytes: number | undefined; error: string }
  | { is: "poison"; code: string; error: string }
  | { is: "unauthorized"; refused: string; error: string }
  /** Nothing was sent, for want of a key. */
  | { is: "no-key"; error: string }
  | { is: "failed"; afterMs: number; isRateLimit: boolean; error: string; code: ErrorCode }
  /** The account changed, or there is still no key or none but the refused one: nothing was sent. */
  | { is: "held"; by: "account" | "auth" };

/** How it ended, and whether anything of the messages may have left. */
export type Attempted = AttemptEnd & { hasLeft: boolean };

interface Batch {
  account: string;
  state: PartitionState;
  messages: readonly Outgoing[];
}

class TimeUp extends Error {}

const hintMs = 1_000;

/**
 * Sends a batch once; after a 401 or 403 once more if there is another key by then. Ends within `attemptMs`, however key, line or body hang.
 * Never rejects.
 */
export async function attempt(settings: Settings, batch: Batch): Promise<Attempted> {
  const { clock, attemptMs } = settings;
  const controller = new AbortController();
  let cancel = () => {};
  const timeUp = new Promise<never>((_, reject) => {
    cancel = clock.after(attemptMs, () => {
      reject(new TimeUp());
      controller.abort();
    });
  });
  let hasLeft = false;
  const line = { signal: controller.signal, leave: () => void (hasLeft = true) };
  try {
    return { ...(await Promise.race([sendWithKey(settings, batch, line), timeUp])), hasLeft };
  } catch (error) {
    const isTimeUp = error instanceof TimeUp;
    const { code, hint } = isTimeUp ? untold : await hintOf(settings, timeUp);
    const end = isTimeUp
      ? { outcome: { error: "timeout" as const }, error: `No whole answer in ${attemptMs / 1_000} s.`, code: "timeout" as const }
      : { outcome: { error: "network" as const }, error: `The service cannot be reached. ${hint}`.trim(), code };
    return { ...failed(settings, batch.state, end), hasLeft };
  } finally {
    cancel();
  }
}

const untold: Unreached = { code: "network", hint: "" };

/** What helps to find the cause must not be one more thing that fails or hangs. */
async function hintOf({ clock, endpoint, whyUnreached }: Settings, timeUp: Promise<never>): Promise<Unreached> {
  const { promise: late, resolve } = Promise.withResolvers<Unreached>();
  const cancel = clock.after(hintMs, () => resolve(untold));
  try {
    return await Promise.race([whyUnreached(endpoint), late, timeUp]);
  } catch {
    return untold;
  } finally {
    cancel();
  }
}

/** The way to the service. */
interface Line {
  signal: AbortSignal;
  /** Called before anything of a batch leaves. */
  leave: () => void;
}

async function sendWithKey(settings: Settings, batch: Batch, line: Line): Promise<AttemptEnd> {
  const { account, state } = batch;
  const { clock, token } = settings;
  const isHeld = state.block?.cause === "auth" && clock.now() < state.block.until;
  let refused = isHeld ? state.refused : undefined;
  for (let asked = 0; ; asked += 1) {
    const given = await askForKey(token, account);
    // The account may have changed while the key was fetched, and the key be that of the other one.
    if ((await settings.account()) !== account) return { is: "held", by: "account" };
    if ("error" in given) return isHeld && state.refused === undefined ? { is: "held", by: "auth" } : { is: "no-key", ...given };
    const { key } = given;
    const mark = markOf(key);
    if (mark === refused)
      return asked === 0
        ? { is: "held", by: "auth" }
        : { is: "unauthorized", refused: mark, error: "The key was refused. Give another one in `token`." };
    const end = await send(settings, { ...batch, ...line, key });
    if (end.is !== "unauthorized" || asked > 0) return end;
    refused = mark;
  }
}

/** What the host throws may hold the key, so that none of it is passed on. */
async function askForKey(token: Settings["token"], account: string): Promise<{ key: string } | { error: string }> {
  try {
    const key: unknown = await token(account);
    if (typeof key === "string" && key !== "") return { key };
    return { error: "No key: give one in `token`, and what waits is sent with it." };
  } catch {
    return { error: "No key: `token` failed. What waits is sent when it gives one." };
  }
}

async function send(settings: Settings, { key, signal, leave, messages, state }: Batch & Line & { key: string }): Promise<AttemptEnd> {
  const { clock, endpoint, extensionId, hook } = settings;
  const envelopeId = newMessageId(clock.now());
  const extension = extensionId === undefined ? "" : `"extensionId":${JSON.stringify(extensionId)},`;
  const body = `{"id":"${envelopeId}","type":"batch",${extension}"messages":[${messages.map(({ json }) => json).join(",")}]}`;
  await hook("before-send");
  // What is over must not send after all, as when the key came too late: the messages may be others by then.
  signal.throwIfAborted();
  leave();
  const response = await settings.fetch(`${endpoint}/context/batch-sync`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", Accept: "application/json" },
    body,
    signal,
    cache: "no-store",
    credentials: "omit",
    // To follow one would hand messages to whoever the way to the service names.
    redirect: "error",
    referrerPolicy: "no-referrer",
  });
  const answer = jsonOf(await response.text());
  await hook("after-answer");
  const { status, headers } = response;
  const ids = messages.map(({ id }) => id);
  const decision = decide({ outcome: { status, headers }, ...circumstances(settings, state) });
  const hint = status === 404 || status === 405 ? " Does the endpoint end in /api/v1?" : "";
  const error = `The service answered ${status}${errorCodeOf(answer) === undefined ? "" : ` ${errorCodeOf(answer)}`}.${hint}`;
  if (decision.action === "done") {
    const verdicts = readAnswer(answer, envelopeId, ids);
    if (verdicts !== undefined) return { is: "answered", verdicts };
    return failed(settings, state, {
      outcome: { error: "network" },
      error: "Something other than the service answered.",
      code: "wrong-server",
    });
  }
  if (decision.action === "split") return { is: "too-large", maxBytes: maxBytesOf(answer), error };
  if (status === 401 || status === 403) return { is: "unauthorized", refused: markOf(key), error };
  // Only the service's own word makes a message the cause: a proxy says 400 to anything.
  const code = errorCodeOf(answer);
  if (status === 400 && code !== undefined) return { is: "poison", code, error };
  return failed(settings, state, { outcome: { status, headers }, error, code: codeOf(status), decision });
}

function codeOf(status: number): ErrorCode {
  if (status === 429) return "rate-limit";
  return status >= 500 ? "service" : "wrong-server";
}

function circumstances({ clock, random }: Settings, { failures, limited }: PartitionState) {
  return { attempt: Math.max(failures, limited) + 1, now: clock.now(), random, idempotent: true };
}

function failed(
  settings: Settings,
  state: PartitionState,
  { outcome, error, code, decision }: { outcome: Outcome; error: string; code: ErrorCode; decision?: Decision },
): AttemptEnd {
  const next = decision ?? decide({ outcome, ...circumstances(settings, state) });
  // A refusal of the whole, such as 404 for a wrong address, says nothing of its messages: they wait, as for a server that is down.
  const waiting = next.action === "retry" ? next : decide({ outcome: { error: "network" }, ...circumstances(settings, state) });
  const afterMs = waiting.action === "retry" ? waiting.afterMs : 0;
  return { is: "failed", afterMs, isRateLimit: "status" in outcome && outcome.status === 429, error, code };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
