import { expect, test } from "vitest";
import { createClient } from "../connection/connection.js";
import { initialSettings, type Settings } from "../settings/settings.js";
import { forgetSite } from "./forget.js";

/** A server with contexts at these addresses. */
function serverWith(urls: readonly string[], refusal?: (isDryRun: boolean) => Response | undefined) {
  const contexts = new Set(urls);
  return {
    contexts,
    async fetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
      const request = new Request(input, init);
      const { where, dryRun = false, confirm } = (await request.json()) as { where: { site: string }; dryRun?: boolean; confirm?: string };
      const refused = refusal?.(dryRun);
      if (refused !== undefined) return refused;
      const found = [...contexts].filter((url) => new URL(url).hostname === where.site);
      if (dryRun) return Response.json({ matches: found.length, sample: [], confirm: String(found.length) });
      if (confirm !== String(found.length)) return Response.json({ error: "conflict", message: "…" }, { status: 409 });
      for (const url of found) contexts.delete(url);
      return Response.json({ deleted: found.length });
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
  expect([...server.contexts]).toEqual(others);
});

const refuses = (status: number, error: string) => () => Response.json({ error, message: "…" }, { status });

test.each<[string, Parameters<typeof serverWith>[1], object]>([
  ["the key lacks a scope", refuses(403, "forbidden"), { end: "not-allowed" }],
  ["the server asks to wait", refuses(429, "rate_limited"), { end: "later" }],
  ["another page came meanwhile", (isDryRun) => (isDryRun ? undefined : refuses(409, "conflict")()), { end: "later" }],
  ["the server fails", refuses(503, "unavailable"), { end: "unreachable" }],
  ["something else answers", () => new Response("<html>"), { end: "unreachable" }],
])("says why the server may still have the pages when %s", async (_, refusal, report) => {
  const urls = ["https://diary.example/1", "https://diary.example/2"];
  expect((await forget("diary.example", serverWith(urls, refusal))).report).toMatchObject({ ...report, deleted: 0 });
});

test("deletes nothing while the list of sites is full, since it would come back", async () => {
  const server = serverWith(["https://diary.example/"]);
  const sites = Array.from({ length: 1_000 }, (_, index) => ({ site: `s${index}.example`, rule: "blocked" as const }));
  expect(await forget("diary.example", server, { sites })).toMatchObject({ steps: ["block"], report: "list-full" });
  expect(server.contexts.size).toBe(1);
});
