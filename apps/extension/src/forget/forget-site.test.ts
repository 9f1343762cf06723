import { expect, test } from "vitest";
import { initialSettings, type Settings } from "../settings/settings.js";
import { SettingsRefused } from "../settings/settings-store.js";
import { forgetSite } from "./forget-site.js";

/** A server with contexts at these addresses, which the search finds by their text. */
function serverWith(urls: readonly string[], refusal?: (method: string, deleted: number) => Response | undefined) {
  const contexts = new Map(urls.map((url, index) => [`c${index}`, url]));
  let deleted = 0;
  return {
    contexts,
    async fetch(address: string, { method = "GET" }: RequestInit): Promise<Response> {
      const refused = refusal?.(method, deleted);
      if (refused !== undefined) return refused;
      const url = new URL(address);
      if (method === "DELETE") {
        deleted += 1;
        return new Response(null, { status: contexts.delete(url.pathname.split("/").at(-1) ?? "") ? 204 : 404 });
      }
      const [pattern = "", limit, offset] = ["urlPattern", "limit", "offset"].map((name) => url.searchParams.get(name) ?? "");
      const found = [...contexts].filter(([, url]) => url.includes(pattern)).map(([contextId, url]) => ({ contextId, url }));
      return Response.json({ results: found.slice(Number(offset), Number(offset) + Number(limit)) });
    },
  };
}

async function forgetAsFar(site: string, server: ReturnType<typeof serverWith>, more: Partial<Settings> = {}) {
  let settings: Settings = { ...initialSettings, server: "https://periscope.example/api/v1", account: "a", ...more };
  const steps: string[] = [];
  const report = await forgetSite(
    {
      store: {
        async change(edit) {
          steps.push("block");
          const edited = edit(settings);
          if (edited.blockedSites.length > 1_000) throw new SettingsRefused();
          return (settings = edited);
        },
        readWithKey: async () => ({ settings, key: "psk_1" }),
      },
      sync: {
        async forget(isMeant) {
          steps.push("forget");
          const tabMetadata = { id: "1", url: "https://sub.diary.example/x", title: "" };
          const context = { type: "page" as const, tabId: "1", capturedAt: "", tabMetadata };
          return [{ type: "create" as const, payload: { context } }, { type: "heartbeat" as const }].filter(isMeant).length;
        },
      },
      fetch: server.fetch,
    },
    site,
  );
  return { settings, steps, report };
}

async function forget(...given: Parameters<typeof forgetAsFar>) {
  const { report, ...others } = await forgetAsFar(...given);
  if (report === "list-full") throw new Error("The list is full.");
  return { ...others, report };
}

test("blocks first, then takes what waits, then what the server has of the site and of no other", async () => {
  const others = ["https://not-diary.example/", "https://a.example/?u=diary.example"];
  const server = serverWith([...Array.from({ length: 230 }, (_, index) => `https://diary.example/${index}`), ...others]);
  const { settings, steps, report } = await forget("diary.example", server);
  expect(steps).toEqual(["block", "forget"]);
  expect(settings.blockedSites).toEqual(["diary.example"]);
  expect(report).toEqual({ waiting: 1, server: { is: "done", deleted: 230, hasMore: false } });
  expect([...server.contexts.values()]).toEqual(others);
});

test("is bounded, and says that there is more", async () => {
  const server = serverWith(Array.from({ length: 520 }, (_, index) => `https://diary.example/${index}`));
  const { report } = await forget("diary.example", server);
  expect(report.server).toEqual({ is: "done", deleted: 500, hasMore: true });
});

test("says what it could not do: no scope, a wait, no answer", async () => {
  const urls = ["https://diary.example/1", "https://diary.example/2"];
  const answering = (status: number) => new Response("{}", { status, headers: { "Retry-After": "9" } });
  const cases: [Parameters<typeof serverWith>[1], object][] = [
    [() => answering(403), { is: "not-allowed", deleted: 0 }],
    [(method, deleted) => (method === "DELETE" && deleted === 1 ? answering(429) : undefined), { is: "later", deleted: 1, seconds: 9 }],
    [() => answering(503), { is: "unreachable", deleted: 0 }],
    [() => new Response("<html>"), { is: "unreachable", deleted: 0 }],
  ];
  for (const [refusal, report] of cases) expect((await forget("diary.example", serverWith(urls, refusal))).report.server).toEqual(report);
});

test("deletes nothing that would come back, since the list of blocked sites is full", async () => {
  const server = serverWith(["https://diary.example/"]);
  const blockedSites = Array.from({ length: 1_000 }, (_, index) => `s${index}.example`);
  expect(await forgetAsFar("diary.example", server, { blockedSites })).toMatchObject({ steps: ["block"], report: "list-full" });
  expect(server.contexts.size).toBe(1);
});

test("where only named sites are recorded, none stays that would let it through", async () => {
  const onlySites = ["a.example", "diary.example/notes", "example"];
  const { settings } = await forget("diary.example", serverWith([]), { siteMode: "only", onlySites });
  expect(settings.onlySites).toEqual(["a.example"]);
  expect(settings.blockedSites).toEqual(["diary.example"]);
});
