import { decide, type Decision, newMessageId, type Outcome } from "@periscope/delivery";
import { errorCodeOf, maxBytesOf, readAnswer, type Verdict } from "./answer.js";
import type { Settings } from "./options.js";
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
  | { is: "failed"; afterMs: number; isRateLimit: boolean; error: string }
  /** The account changed, or there is still no key or none but the refused one: nothing was sent. */
  | { is: "held"; by: "account" | "auth" };

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
export async function attempt(settings: Settings, batch: Batch): Promise<AttemptEnd> {
  const { clock, attemptMs } = settings;
  const controller = new AbortController();
  let cancel = () => {};
  const timeUp = new Promise<never>((_, reject) => {
    cancel = clock.after(attemptMs, () => {
      reject(new TimeUp());
      controller.abort();
    });
  });
  try {
    return await Promise.race([sendWithKey(settings, batch, controller.signal), timeUp]);
  } catch (error) {
    const isTimeUp = error instanceof TimeUp;
    const words = isTimeUp
      ? `No whole answer in ${attemptMs / 1_000} s.`
      : `The service cannot be reached. ${await hintOf(settings)}`.trim();
    return failed(settings, batch.state, { outcome: { error: isTimeUp ? "timeout" : "network" }, error: words });
  } finally {
    cancel();
  }
}

/** What helps to find the cause must not be one more thing that fails or hangs. */
async function hintOf({ clock, endpoint, whyUnreached }: Settings): Promise<string> {
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const cancel = clock.after(hintMs, () => resolve(""));
  try {
    return await Promise.race([whyUnreached(endpoint), late]);
  } catch {
    return "";
  } finally {
    cancel();
  }
}

async function sendWithKey(settings: Settings, batch: Batch, signal: AbortSignal): Promise<AttemptEnd> {
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
    const end = await send(settings, { ...batch, key, signal });
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

async function send(
  settings: Settings,
  { key, signal, messages, state }: Batch & { key: string; signal: AbortSignal },
): Promise<AttemptEnd> {
  const { clock, endpoint, extensionId, hook } = settings;
  const envelopeId = newMessageId(clock.now());
  const extension = extensionId === undefined ? "" : `"extensionId":${JSON.stringify(extensionId)},`;
  const body = `{"id":"${envelopeId}","type":"batch",${extension}"messages":[${messages.map(({ json }) => json).join(",")}]}`;
  await hook("before-send");
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
    return failed(settings, state, { outcome: { error: "network" }, error: "Something other than the service answered." });
  }
  if (decision.action === "split") return { is: "too-large", maxBytes: maxBytesOf(answer), error };
  if (status === 401 || status === 403) return { is: "unauthorized", refused: markOf(key), error };
  // Only the service's own word makes a message the cause: a proxy says 400 to anything.
  const code = errorCodeOf(answer);
  if (status === 400 && code !== undefined) return { is: "poison", code, error };
  return failed(settings, state, { outcome: { status, headers }, error, decision });
}

function circumstances({ clock, random }: Settings, { failures, limited }: PartitionState) {
  return { attempt: Math.max(failures, limited) + 1, now: clock.now(), random, idempotent: true };
}

function failed(
  settings: Settings,
  state: PartitionState,
  { outcome, error, decision }: { outcome: Outcome; error: string; decision?: Decision },
): AttemptEnd {
  const next = decision ?? decide({ outcome, ...circumstances(settings, state) });
  // A refusal of the whole, such as 404 for a wrong address, says nothing of its messages: they wait, as for a server that is down.
  const waiting = next.action === "retry" ? next : decide({ outcome: { error: "network" }, ...circumstances(settings, state) });
  const afterMs = waiting.action === "retry" ? waiting.afterMs : 0;
  return { is: "failed", afterMs, isRateLimit: "status" in outcome && outcome.status === 429, error };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Tells one key from another without keeping it: FNV-1a of 32 bits, from which nothing can be had back. */
function markOf(key: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}
