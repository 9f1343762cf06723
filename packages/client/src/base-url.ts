import { PeriscopeError } from "./errors/periscope-error.js";

/**
 * The base address as requests use it: without a slash at its end, with the version prefix. An address without the prefix gets it; it
 * would answer 404 to everything, and for the current context a 404 means that there is none.
 * @throws PeriscopeError when it is no such address; the text does not quote it, since it may hold a password
 */
export function baseUrlOf(address: string): string {
  const [, base, version] = /^(https?:\/\/[^\s?#@]+?)(\/api\/v\d+)?\/*$/i.exec(address.trim()) ?? [];
  if (base === undefined || !URL.canParse(base)) {
    throw new PeriscopeError("baseUrl must be an address such as http://127.0.0.1:3000/api/v1, without user name and query.");
  }
  return base + (version ?? "/api/v1");
}
