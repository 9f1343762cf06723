import type { KeyInfo } from "@periscope/client";
import type { ErrorBody } from "@periscope/schemas";
import type { ExtensionApi } from "../extension-api.js";

/** Why an extension got no key. `advice` is what the server says to do about it, as when the person has too many keys. */
export class PairingError extends Error {
  override name = "PairingError";
  readonly reason: "declined" | "refused";
  readonly advice: string | undefined;

  constructor(reason: PairingError["reason"], advice?: string) {
    super(advice ?? (reason === "declined" ? "The person did not approve the connection." : "The server gave no key."));
    this.reason = reason;
    this.advice = advice;
  }
}

/** A key of this browser's own, and what the server says of it. */
export type PairedKey = Pick<KeyInfo, "userId" | "name" | "scopes"> & { apiKey: string };

/**
 * Asks the person, in a tab of the server's own, to connect this browser, and fetches the key. The code in the address of the tab is of use
 * to nobody else: it needs the verifier, which only the server is told (PKCE, RFC 7636), and the origin of the extension.
 * `server` is the base address with `/api/v1`; the browser must give access to it. Rejects with a {@link PairingError}.
 */
export async function pair({ tabs }: Pick<ExtensionApi, "tabs">, server: string, name: string): Promise<PairedKey> {
  const root = server.replace(/\/api\/v1$/, "");
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const challenge = base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
  const { promise: code, resolve, reject } = Promise.withResolvers<string>();
  const decline = () => reject(new PairingError("declined"));
  let opened: number | undefined;
  const onUpdated = (tabId: number, { url }: { url?: string }) => {
    if (tabId !== opened || url === undefined || url.split("?")[0] !== `${root}/pair/done`) return;
    // Without a code, the person has pressed Cancel.
    const found = new URL(url).searchParams.get("code");
    if (found === null) decline();
    else resolve(found);
  };
  const onRemoved = (tabId: number) => {
    if (tabId === opened) decline();
  };
  tabs.onUpdated.addListener(onUpdated);
  tabs.onRemoved.addListener(onRemoved);
  try {
    const search = new URLSearchParams({ challenge, origin: location.origin, name, server: root });
    opened = (await tabs.create({ url: `${root}/pair?${search.toString()}` })).id;
    return await exchange(root, { code: await code, verifier });
  } finally {
    tabs.onUpdated.removeListener(onUpdated);
    tabs.onRemoved.removeListener(onRemoved);
    if (opened !== undefined) await tabs.remove(opened).catch(() => {});
    // Back to the page that has asked, and says what came of it: the browser would show the tab beside the closed one.
    const asking = await tabs.getCurrent();
    if (asking?.id !== undefined) await tabs.update(asking.id, { active: true });
  }
}

const exchangeMs = 8_000;

async function exchange(root: string, body: { code: string; verifier: string }): Promise<PairedKey> {
  const response = await fetch(`${root}/portal/pair`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    credentials: "omit",
    redirect: "error",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout(exchangeMs),
  }).catch(() => undefined);
  // A proxy may answer with a page of its own.
  const answer = (await response?.json().catch(() => null)) as Partial<PairedKey & ErrorBody> | null | undefined;
  if (response?.status === 409 && answer?.error === "conflict") throw new PairingError("refused", answer.message);
  if (!response?.ok || typeof answer?.apiKey !== "string") throw new PairingError("refused");
  return answer as PairedKey;
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
