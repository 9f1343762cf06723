import { toBaseUrl } from "@periscope/delivery";
import { jsonOf } from "./message.js";
import { type Setting, type Settings, wrongBaseUrl } from "./options.js";
import type { Trouble } from "./outcomes.js";

export interface Connection {
  baseUrl: string;
  apiKey: string;
}

/** Whether the service can be reached with the key that is set: whose key it is and what it may do, or what is wrong and what to do. */
export type ConnectionCheck = { isConnected: true; userId: string; scopes: readonly string[] } | ({ isConnected: false } & Trouble);

/** Asks for address and key of an account. Never rejects; what the host throws may hold the key, so that none of it is passed on. */
export async function resolveConnection({ baseUrl, apiKey }: Settings, account: string): Promise<Connection | Trouble> {
  const address = await readSetting(baseUrl, account);
  if (address === undefined) return { code: "no-server", error: "No server: `baseUrl` failed. What waits is sent when it gives one." };
  const base = toBaseUrl(address);
  if (address === "") return { code: "no-server", error: "No server: give its address in `baseUrl`, and what waits is sent there." };
  if (base === undefined) return { code: "wrong-server", error: wrongBaseUrl };
  const key = await readSetting(apiKey, account);
  if (key === undefined) return { code: "no-key", error: "No key: `apiKey` failed. What waits is sent when it gives one." };
  if (key === "") return { code: "no-key", error: "No key: give one in `apiKey`, and what waits is sent with it." };
  // The key of another server must not go to this one.
  if ((await readSetting(baseUrl, account)) !== address)
    return { code: "no-server", error: "The server changed during the request. Retrying." };
  return { baseUrl: base, apiKey: key };
}

/** The value of a setting, `""` when it has none; undefined when asking for it failed. */
export async function readSetting(setting: Setting, account: string): Promise<string | undefined> {
  try {
    const value: unknown = typeof setting === "function" ? await setting(account) : setting;
    return typeof value === "string" ? value : "";
  } catch {
    return undefined;
  }
}

/** An answer, with its body as JSON; undefined where it is none. */
export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Sends a request. Rejects when no whole answer comes. */
export async function request(
  settings: Settings,
  { baseUrl, apiKey }: Connection,
  { path, body, signal }: { path: string; body?: string; signal: AbortSignal },
): Promise<Answer> {
  const response = await settings.fetch(`${baseUrl}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json", Accept: "application/json" },
    ...(body !== undefined && { body }),
    signal,
    cache: "no-store",
    credentials: "omit",
    // A redirect would hand the messages to another server.
    redirect: "error",
    referrerPolicy: "no-referrer",
  });
  return { status: response.status, headers: response.headers, body: jsonOf(await response.text()) };
}

/** Does something with a signal that ends it. Rejects with `late` after `ms`, however what is done hangs. */
export async function withinTime<T>(
  { clock }: Pick<Settings, "clock">,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  late: Error = new TimeUp(),
): Promise<T> {
  const controller = new AbortController();
  const { promise: timeUp, reject } = Promise.withResolvers<never>();
  const cancel = clock.after(ms, () => {
    reject(late);
    controller.abort();
  });
  try {
    return await Promise.race([work(controller.signal), timeUp]);
  } finally {
    cancel();
  }
}

class TimeUp extends Error {}

/** For what is asked of the host beside an attempt. Together with the longest `timeoutMs` less than a worker has for an event. */
export const accessMs = 500;

/** What to say when no answer came: browsers say the same of a server that is not there and of one that the extension may not ask. Never rejects. */
export async function troubleOfFailure(settings: Settings, error: unknown, baseUrl: string | undefined): Promise<Trouble> {
  if (error instanceof TimeUp) return { code: "timeout", error: `No whole answer in ${settings.timeoutMs / 1_000} s.` };
  if (baseUrl === undefined) return { code: "network", error: "The service cannot be reached." };
  const { origin, protocol, hostname } = new URL(baseUrl);
  const hasAccess = await withinTime(settings, accessMs, () => settings.hasAccess(baseUrl)).catch(() => undefined);
  if (hasAccess !== false)
    return { code: "network", error: `The service cannot be reached at ${origin}. Is it running, and is its address right?` };
  const pattern = `${protocol}//${hostname}/*`;
  return {
    code: "no-access",
    error: `The extension has no access to ${origin}. Add "${pattern}" to \`host_permissions\` in the manifest, or request it.`,
  };
}

/** What an answer that is no success says is wrong. */
export function troubleOfAnswer({ status, body }: Answer): Trouble {
  const code = errorCodeOf(body);
  const answer = `${status}${code === undefined ? "" : ` ${code}`}`;
  switch (status) {
    case 401:
      return { code: "key-refused", error: `The key was refused (${answer}). Give another one in \`apiKey\`.` };
    case 403:
      return { code: "key-refused", error: `The key was refused (${answer}). Give one with the scope "write" in \`apiKey\`.` };
    case 404:
    case 405:
      return { code: "wrong-server", error: `The service answered ${answer}. Is its address that of Periscope?` };
    case 429:
      return { code: "rate-limit", error: `The service answered ${answer}.` };
    default:
      return { code: status >= 500 ? "service" : "wrong-server", error: `The service answered ${answer}.` };
  }
}

/** Asks `GET /key` whose key it is. Never rejects. */
export async function checkConnection(settings: Settings, account: string): Promise<ConnectionCheck> {
  const connection = await resolveConnection(settings, account);
  if ("code" in connection) return { isConnected: false, ...connection };
  try {
    const answer = await withinTime(settings, settings.timeoutMs, (signal) => request(settings, connection, { path: "/key", signal }));
    if (answer.status < 200 || answer.status >= 300) return { isConnected: false, ...troubleOfAnswer(answer) };
    const { userId, scopes } = (answer.body ?? {}) as { userId?: unknown; scopes?: unknown };
    if (typeof userId !== "string" || !Array.isArray(scopes)) return { isConnected: false, ...otherAnswered };
    if (scopes.includes("write")) return { isConnected: true, userId, scopes: scopes.map(String) };
    const error = 'The key may not store anything. Give one with the scope "write" in `apiKey`.';
    return { isConnected: false, code: "key-refused", error };
  } catch (error) {
    return { isConnected: false, ...(await troubleOfFailure(settings, error, connection.baseUrl)) };
  }
}

/** For an answer that is not the service's, such as the page of a captive portal. */
export const otherAnswered: Trouble = {
  code: "wrong-server",
  error: "Something other than Periscope answered. Is the address right, or does the network ask you to sign in?",
};

/** The code of an error answer of the service; undefined when it is none of the service's. */
export function errorCodeOf(body: unknown): string | undefined {
  const { error, message } = (typeof body === "object" && body !== null ? body : {}) as { error?: unknown; message?: unknown };
  return typeof error === "string" && typeof message === "string" && isCode(error) ? error : undefined;
}

/** A code is kept and shown, and anything may have answered: it is one word at most. */
export const isCode = (text: string): boolean => /^[a-z_]{1,40}$/.test(text);
