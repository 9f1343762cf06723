/** A passkey as better-auth lists it. */
export interface Passkey {
  id: string;
  name?: string | null;
  createdAt: string;
}

/** The passkeys of the person. Rejects with what to tell them. */
export const listPasskeys = () => ask<Passkey[]>("GET", "list-user-passkeys");

export const deletePasskey = (id: string) => ask<unknown>("POST", "delete-passkey", { id });

/** Asks the browser for a new passkey, and stores it under a name. Rejects with what to tell the person. */
export async function addPasskey(name: string): Promise<void> {
  const options = await ask<PublicKeyCredentialCreationOptionsJSON>("GET", "generate-register-options");
  const credential = await navigator.credentials
    .create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    .catch((error: unknown) => {
      const isKnown = error instanceof DOMException && error.name === "InvalidStateError";
      throw new Error(isKnown ? "This device has a passkey of yours already." : "No passkey was made. Try again.", { cause: error });
    });
  if (!(credential instanceof PublicKeyCredential)) throw new Error("No passkey was made. Try again.");
  await ask("POST", "verify-registration", { response: credential.toJSON(), name });
}

/** Whether this address can have passkeys: browsers make none for IP addresses. */
export const canHavePasskeys = (hostname: string): boolean => !/^[\d.]+$|:/.test(hostname);

async function ask<Answer>(method: "GET" | "POST", path: string, body?: object): Promise<Answer> {
  const response = await fetch(`/portal/auth/passkey/${path}`, {
    method,
    ...(body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Answer & { message?: string };
  if (!response.ok) throw new Error(answer.message ?? "The server could not do this. Try again.");
  return answer;
}
