/** What is shorter is no secret, and would black out half a text. */
const secretCharsMin = 8;

/** A text without API keys: those of this service by their form, `secrets` by their value. JSON stays JSON. */
export function redact(text: string, secrets: readonly string[] = []): string {
  return secrets
    .filter((secret) => secret.length >= secretCharsMin)
    .reduce((clean, secret) => clean.replaceAll(secret, "[key]"), text.replaceAll(/\bpsk_\w+/g, "[key]"));
}

/** What went wrong, in words: those of the innermost cause, which names what the outer ones only hint at. */
export function wordsOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown.cause) return wordsOf(thrown.cause);
  // The address was refused for both versions of IP: Node has it as a list without a message.
  return thrown.message || String("code" in thrown ? thrown.code : thrown.name);
}
