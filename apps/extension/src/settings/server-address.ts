/** What became of an address that somebody typed. */
export type ReadAddress = { is: "address"; server: string; origin: string } | { is: "none" } | { is: "wrong" };

/**
 * The base address of a server from what a person types: `periscope.example`, with or without scheme and `/api/v1`. Without a scheme it is
 * https, but for this machine.
 */
export function readServerAddress(text: string): ReadAddress {
  const typed = text.trim();
  if (typed === "") return { is: "none" };
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed);
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|\/|$)/i.test(typed);
  const full = hasScheme ? typed : `${isHere ? "http" : "https"}://${typed}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return { is: "wrong" };
  const path = url.pathname.replace(/\/+$/, "").replace(/\/api(?:\/v1)?$/, "");
  return { is: "address", server: `${url.origin}${path}/api/v1`, origin: url.origin };
}

/** What the browser is asked for so that the extension may talk to a server; patterns name no port, so this is the host with each of them. */
export function originPattern(server: string): string {
  const { protocol, hostname } = new URL(server);
  return `${protocol}//${hostname}/*`;
}

/** Whether a key would travel in the clear: http to anything but this machine. */
export function isInTheClear(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === "http:" && !/^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
