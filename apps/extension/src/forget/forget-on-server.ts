import { coveringSite } from "../sites/site-list.js";

/** What became of a site's contexts on the server; `deleted` counts those that are gone by now. */
export type ServerReport =
  /** `hasMore`: the bound was reached. */
  | { is: "done"; deleted: number; hasMore: boolean }
  /** The server asked to wait. */
  | { is: "later"; deleted: number; seconds: number }
  /** The key lacks a scope, or is none. */
  | { is: "not-allowed"; deleted: number }
  | { is: "unreachable"; deleted: number };

/** Whose contexts are deleted. */
export interface OnServer {
  /** Base address with `/api/v1`. */
  server: string;
  key: string;
  site: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Contexts that are deleted in one go at most. Default 500. */
  most?: number;
  /** Milliseconds for one request. Default 8,000. */
  requestMs?: number;
}

const pageSize = 200;

/**
 * Deletes the contexts of a site, at most `most`: found by the search for its host, each looked at again, since the search finds the host anywhere in an
 * address. Never rejects.
 */
export async function forgetOnServer({ server, key, site, fetch, most = 500, requestMs = 8_000 }: OnServer): Promise<ServerReport> {
  const host = site.split("/", 1)[0] ?? site;
  let deleted = 0;
  // Those that are of other sites stay, and are passed over.
  let offset = 0;
  try {
    for (;;) {
      const found = await call(
        `/context/search?${new URLSearchParams({ urlPattern: host, limit: String(pageSize), offset: String(offset) })}`,
      );
      if (!found.ok) return refusedBy(found, deleted);
      const hits = hitsOf(await found.json());
      const ours = hits.filter(({ url }) => coveringSite([site], url) !== undefined);
      for (const { contextId } of ours) {
        if (deleted >= most) return { is: "done", deleted, hasMore: true };
        const gone = await call(`/context/${encodeURIComponent(contextId)}`, "DELETE");
        if (!gone.ok && gone.status !== 404) return refusedBy(gone, deleted);
        deleted += 1;
      }
      offset += hits.length - ours.length;
      if (hits.length < pageSize) return { is: "done", deleted, hasMore: false };
    }
  } catch {
    return { is: "unreachable", deleted };
  }

  function call(path: string, method = "GET"): Promise<Response> {
    return fetch(`${server}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, Accept: "application/json" },
      signal: AbortSignal.timeout(requestMs),
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
    });
  }
}

function refusedBy({ status, headers }: Response, deleted: number): ServerReport {
  if (status === 401 || status === 403) return { is: "not-allowed", deleted };
  const seconds = Number(headers.get("Retry-After"));
  if (status === 429) return { is: "later", deleted, seconds: Number.isFinite(seconds) && seconds > 0 ? seconds : 60 };
  return { is: "unreachable", deleted };
}

/** What a page of search results says, as far as it is needed. Throws for an answer that is none of the service's. */
function hitsOf(body: unknown): { contextId: string; url: string }[] {
  const { results } = body as { results: { contextId: string; url: string }[] };
  return results.filter(({ contextId, url }) => typeof contextId === "string" && typeof url === "string");
}
