/** What an extension asks for when it is to be connected. */
export interface Pairing {
  /** SHA-256 of what only the extension has. */
  challenge: string;
  /** Of the extension. */
  origin: string;
  /** Of the browser, as the extension tells it. */
  name: string;
  /** Where it looks for the answer: the server's address, as the person entered it there. */
  server: string;
}

/** Reads what an extension has written into the address; the server checks it. */
export function readPairing(search: Record<string, unknown>): Partial<Pairing> {
  const text = (name: keyof Pairing) => (typeof search[name] === "string" ? { [name]: search[name] } : {});
  return { ...text("challenge"), ...text("origin"), ...text("name"), ...text("server") };
}
