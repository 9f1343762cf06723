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
  const cause = innermostCause(thrown);
  if (!(cause instanceof Error)) return String(cause);
  // The address was refused for both versions of IP: Node has it as a list without a message.
  return cause.message || (codeOf(cause) ?? cause.name);
}

/** The code of the innermost cause, such as `ECONNREFUSED`; undefined when it has none. */
export function codeOf(thrown: unknown): string | undefined {
  const { code } = Object(innermostCause(thrown)) as { code?: unknown };
  return typeof code === "string" ? code : undefined;
}

function innermostCause(thrown: unknown): unknown {
  return thrown instanceof Error && thrown.cause ? innermostCause(thrown.cause) : thrown;
}
