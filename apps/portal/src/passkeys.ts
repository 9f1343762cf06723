import { ask } from "./api.js";

/** A passkey as better-auth lists it. */
export interface Passkey {
  id: string;
  name?: string | null;
  createdAt: string;
}

/** Whether there can be passkeys here: browsers make none for IP addresses. */
export function canUsePasskeys(): boolean {
  return "PublicKeyCredential" in window && !/^[\d.]+$|:/.test(location.hostname);
}

/** Signs in by a passkey of this browser. Rejects with what to tell the person. */
export async function signInByPasskey(): Promise<void> {
  const options = await askAuth<PublicKeyCredentialRequestOptionsJSON>("GET", "generate-authenticate-options");
  const credential = await navigator.credentials
    .get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
    .catch((cause: unknown) => {
      throw new Error("No passkey was chosen. Try again, or sign in with your password.", { cause });
    });
  if (!(credential instanceof PublicKeyCredential)) throw new Error("No passkey was chosen. Try again, or sign in with your password.");
  await askAuth("POST", "verify-authentication", { response: credential.toJSON() });
}

/** The passkeys of the person. Rejects with what to tell them. */
export const listPasskeys = () => askAuth<Passkey[]>("GET", "list-user-passkeys");

/** Deletes a passkey of the person. Rejects with what to tell them. */
export const deletePasskey = (id: string) => askAuth<unknown>("POST", "delete-passkey", { id });

/**
 * Asks the browser for a new passkey, and stores it under a name. Rejects with what to tell the person; the cause is `forbidden` when they
 * must sign in again.
 */
export async function addPasskey(name: string): Promise<void> {
  const options = await askAuth<PublicKeyCredentialCreationOptionsJSON>("GET", "generate-register-options");
  const credential = await navigator.credentials
    .create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    .catch((error: unknown) => {
      const isKnown = error instanceof DOMException && error.name === "InvalidStateError";
      throw new Error(isKnown ? "This device has a passkey of yours already." : "No passkey was made. Try again.", { cause: error });
    });
  if (!(credential instanceof PublicKeyCredential)) throw new Error("No passkey was made. Try again.");
  await askAuth("POST", "verify-registration", { response: credential.toJSON(), name });
}

async function askAuth<Answer>(method: "GET" | "POST", path: string, body?: object): Promise<Answer> {
  const response = await ask(`/portal/auth/passkey/${path}`, {
    method,
    ...(body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Answer & { error?: string; message?: string };
  if (!response.ok) throw new Error(answer.message ?? "The server could not do this. Try again.", { cause: answer.error });
  return answer;
}
