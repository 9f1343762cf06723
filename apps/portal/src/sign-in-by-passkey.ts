/** Whether a passkey can be asked for here: browsers have none for IP addresses. */
export function canUsePasskeys(): boolean {
  return "PublicKeyCredential" in window && !/^[\d.]+$|:/.test(location.hostname);
}

/** Signs in by a passkey of this browser. Rejects with what to tell the person. */
export async function signInByPasskey(): Promise<void> {
  const options = await ask<PublicKeyCredentialRequestOptionsJSON>("generate-authenticate-options");
  const credential = await navigator.credentials
    .get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
    .catch((cause: unknown) => {
      throw new Error("No passkey was chosen. Try again, or sign in with your password.", { cause });
    });
  if (!(credential instanceof PublicKeyCredential)) throw new Error("No passkey was chosen.");
  await ask("verify-authentication", { response: credential.toJSON() });
}

async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  const init = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(`/portal/auth/passkey/${path}`, init);
  const answer = (await response.json()) as Answer & { message?: string };
  if (!response.ok) throw new Error(answer.message ?? "The server could not check the passkey. Try again.");
  return answer;
}
