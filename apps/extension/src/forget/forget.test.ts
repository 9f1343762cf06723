import { expect, test } from "vitest";
import { createClient } from "../connection/connection.js";
import { initialSettings, type Settings } from "../settings/settings.js";
import { forgetSite } from "./forget.js";

const timestamp = "2026-01-31T12:00:00.000Z";

/** A server with contexts at these addresses, which the search finds by their text. */
function serverWith(urls: readonly string[], refusal?: (method: string, deleted: number) => Response | undefined) {
  const contexts = new Map(urls.map((url, index) => [`c${index}`, url]));
  let deleted = 0;
  return {
    contexts,
    async fetch(input: RequestInfo | URL, { method: given }: RequestInit = {}): Promise<Response> {
      const request = input instanceof Request ? input : new Request(input);
      const method = given ?? request.method;
      const refused = refusal?.(method, deleted);
      if (refused !== undefined) return refused;
      const url = new URL(request.url);
      if (method === "DELETE") {
        deleted += 1;
        return new Response(null, { status: contexts.delete(url.pathname.split("/").at(-1) ?? "") ? 204 : 404 });
      }
      const [pattern = "", limit, offset] = ["urlPattern", "limit", "offset"].map((name) => url.searchParams.get(name) ?? "");
      const found = [...contexts].filter(([, url]) => url.includes(pattern));
      const results = found.slice(Number(offset), Number(offset) + Number(limit)).map(([contextId, url]) => ({
        contextId,
        type: "page",
        url,
        title: "",
        snippet: "",
        timestamp,
        privacyLevel: "private",
        relevance: 1,
      }));
      return Response.json({ results, total: found.length, totalIsExact: true, query: "", limit: Number(limit), offset: Number(offset) });
    },
  };
}

async function forget(site: string, server: ReturnType<typeof serverWith>, more: Partial<Settings> = {}) {
  let settings: Settings = { ...initialSettings, ...more };
  const steps: string[] = [];
  const report = await forgetSite(
    {
      store: {
        async change(edit) {
          steps.push("block");
          const edited = edit(settings);
          if (edited.sites.length > 1_000) return undefined;
          return (settings = edited);
        },
      },
      sync: {
        async remove(isMeant) {
          steps.push("remove");
          const tabMetadata = { id: "1", url: "https://sub.diary.example/x", title: "" };
          const context = { type: "page" as const, tabId: "1", capturedAt: "", tabMetadata };
          return [{ type: "create" as const, payload: { context } }, { type: "heartbeat" as const }].filter(isMeant).length;
        },
      },
      client: async () => createClient("https://periscope.example/api/v1", "psk_1", { fetch: server.fetch }),
    },
    site,
  );
  return { settings, steps, report };
}

test("blocks a site, then deletes waiting and stored pages of it", async () => {
  const others = ["https://not-diary.example/", "https://a.example/?u=diary.example"];
  const server = serverWith([...Array.from({ length: 230 }, (_, index) => `https://diary.example/${index}`), ...others]);
  const sites = [{ site: "diary.example", rule: "public" as const }];
  const { settings, steps, report } = await forget("diary.example", server, { sites });
  expect(steps).toEqual(["block", "remove"]);
  expect(settings.sites).toEqual([{ site: "diary.example", rule: "blocked" }]);
  expect(report).toEqual({ waiting: 1, deleted: 230, end: "done" });
  expect([...server.contexts.values()]).toEqual(others);
});

test("deletes 500 contexts at most, and says that there is more", async () => {
  const server = serverWith(Array.from({ length: 520 }, (_, index) => `https://diary.example/${index}`));
  const { report } = await forget("diary.example", server);
  expect(report).toMatchObject({ deleted: 500, end: "more" });
  expect(server.contexts.size).toBe(20);
});

test.each<[string, Parameters<typeof serverWith>[1], object]>([
  ["the key lacks a scope", () => Response.json({ error: "forbidden", message: "…" }, { status: 403 }), { end: "not-allowed", deleted: 0 }],
  [
    "the server asks to wait",
    (method, deleted) =>
      method === "DELETE" && deleted === 1
        ? Response.json({ error: "rate_limited", message: "…" }, { status: 429, headers: { "Retry-After": "900" } })
        : undefined,
    { end: "later", deleted: 1 },
  ],
  ["the server fails", () => new Response("{}", { status: 503 }), { end: "unreachable", deleted: 0 }],
  ["something else answers", () => new Response("<html>"), { end: "unreachable", deleted: 0 }],
])("says what was deleted when %s", async (_, refusal, report) => {
  const urls = ["https://diary.example/1", "https://diary.example/2"];
  expect((await forget("diary.example", serverWith(urls, refusal))).report).toMatchObject(report);
});

test("deletes nothing while the list of sites is full, since it would come back", async () => {
  const server = serverWith(["https://diary.example/"]);
  const sites = Array.from({ length: 1_000 }, (_, index) => ({ site: `s${index}.example`, rule: "blocked" as const }));
  expect(await forget("diary.example", server, { sites })).toMatchObject({ steps: ["block"], report: "list-full" });
  expect(server.contexts.size).toBe(1);
});
