/**
 * The base address of a service as requests use it: with the version prefix, without a slash at its end. An address without a prefix gets
 * `/api/v1`. Undefined for a text that is no such address, such as one with a user name or a query.
 */
export function toBaseUrl(address: string): string | undefined {
  const [, base, version] = /^(https?:\/\/[^\s?#@]+?)(\/api\/v\d+)?\/*$/i.exec(address.trim()) ?? [];
  return base !== undefined && URL.canParse(base) ? base + (version ?? "/api/v1") : undefined;
}
