import { expect, test } from "vitest";
import { createClient } from "../connection/connection.js";
import { type FactSources, getPageFact } from "./page-fact.js";

const note = { url: "https://a.example/", at: 5, contextId: "c1" };
const stored = { ...note, settled: { id: "m1", contextId: "c1", status: "stored", privacyLevel: "filtered" } } as const;
const refused = {
  ...note,
  settled: { id: "m1", contextId: "c1", status: "refused", code: "validation_error", message: "content: too long" },
} as const;
const timestamp = "2026-01-31T12:00:00.000Z";
const tabMetadata = { id: "7", url: note.url, title: "", isActive: true, isLoading: false, windowId: 1, lastUpdated: timestamp };
const context = {
  contextId: "c1",
  userId: "ada",
  type: "page",
  url: note.url,
  title: "",
  content: "a",
  contentFormat: "text",
  tabId: "7",
  extensionId: "default",
  timestamp,
  privacyLevel: "filtered",
  tabMetadata,
  metadata: {},
};
const refusal = (status: number, error: string) => Response.json({ error, message: "…" }, { status });

/** The fact about a page, with a server that answers like this. */
async function fact(answer: () => Response | Promise<Response>, more: Partial<FactSources> = {}) {
  const client = createClient("https://periscope.example/api/v1", "psk_1", { fetch: async () => await answer() });
  const { fact, ask } = await getPageFact({ note, waiting: 0, client, probe: async () => "pdf", ...more });
  return ask === undefined ? fact : await ask();
}

const missing = () => refusal(404, "not_found");

test.each<[string, () => Response | Promise<Response>, Partial<FactSources>, object]>([
  ["stored, at the server's level", () => Response.json(context), {}, { is: "stored", at: Date.parse(timestamp), level: "filtered" }],
  ["a visit alone", () => Response.json({ ...context, type: "navigation", content: "" }), {}, { is: "visit-stored", level: "filtered" }],
  ["waiting", missing, { waiting: 1 }, { is: "waiting" }],
  ["waiting while nothing answers", () => Promise.reject(new TypeError("fetch failed")), { waiting: 1 }, { is: "waiting" }],
  ["stored, when all was acknowledged and the key cannot read", () => refusal(403, "forbidden"), {}, { is: "stored", level: undefined }],
  ["deleted", missing, {}, { is: "deleted" }],
  ["refused", missing, { note: refused }, { is: "refused", text: "content: too long" }],
  [
    "stored, with a key that cannot read",
    () => refusal(403, "forbidden"),
    { note: stored, waiting: 3 },
    { is: "stored", level: "filtered" },
  ],
  [
    "lost, when it had to make room",
    missing,
    { note: { ...note, settled: { id: "m1", contextId: "c1", status: "dropped", reason: "full" } }, waiting: 3 },
    { is: "dropped" },
  ],
  ...(["can", "cannot"] as const).map((can): [string, () => Response, Partial<FactSources>, object] => [
    `not stored, when it was removed before it was sent, with a key that ${can} read`,
    can === "can" ? missing : () => refusal(403, "forbidden"),
    { note: { ...note, settled: { id: "m1", contextId: "c1", status: "dropped", reason: "removed" } } },
    { is: "dropped" },
  ]),
  [
    "deleted, with a key that cannot read",
    () => refusal(403, "forbidden"),
    { note: { ...note, settled: { id: "m2", contextId: "c1", status: "deleted" } } },
    { is: "deleted" },
  ],
  ["deleted after it was stored", missing, { note: stored, waiting: 3 }, { is: "deleted" }],
  ["kept out", missing, { note: { ...note, rule: "paused" } }, { is: "kept-out", rule: "paused" }],
  ["not seen, for the reason that the page has", missing, { note: undefined }, { is: "not-seen", why: "pdf" }],
  ["waiting without a server", missing, { client: undefined }, { is: "waiting" }],
])("%s", async (_, answer, sources, expected) => {
  expect(await fact(answer, sources)).toMatchObject(expected);
});
