import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { englishWords } from "../../test/english-words.js";
import { createClient, testConnection } from "./connection.js";

const limit = { limit: 600, remaining: 599, reset: 1_800_000_000 };
const limits = { sync: limit, "batch-sync": limit, read: limit, search: limit, delete: limit };
const key = (scopes: string[]) =>
  Response.json({
    userId: "ada",
    keyId: "k1",
    name: "laptop",
    scopes,
    maxPrivacyLevel: "restricted",
    createdAt: "2026-01-31T12:00:00.000Z",
    expiresAt: null,
    limits,
    server: { version: "1.0.0", live: true },
  });
const refusal = (status: number, error: string) => Response.json({ error, message: "…" }, { status, headers: { "Retry-After": "7" } });

/** Tests a server that answers like this. */
async function tested(answer: () => Response | Promise<Response>, server = "https://periscope.example/api/v1", timeoutMs = 60_000) {
  return await testConnection(createClient(server, "psk_1", { fetch: async () => await answer(), timeoutMs }), englishWords);
}

test("a key that may write is connected, and says whose it is", async () => {
  expect(await tested(() => key(["write", "read"]))).toMatchObject({
    isConnected: true,
    key: { userId: "ada", scopes: ["write", "read"] },
  });
});

test.each<[string, () => Response | Promise<Response>, string]>([
  ["a key without the scope to write", () => key(["read"]), "cannot store pages"],
  ["401", () => refusal(401, "unauthorized"), "refuses this key"],
  ["a proxy's 401", () => new Response("<h1>Sign in</h1>", { status: 401 }), "not Periscope"],
  ["403", () => refusal(403, "forbidden"), "does not have the scope"],
  ["429", () => refusal(429, "rate_limited"), "in 7 seconds"],
  ["500", () => refusal(500, "internal_error"), "status 500"],
  ["a proxy's 502", () => new Response("<h1>Bad gateway</h1>", { status: 502 }), "status 502"],
  ["HTML", () => new Response("<!doctype html>Sign in"), "not Periscope"],
  ["another program's JSON", () => Response.json({ ok: true }), "not Periscope"],
  ["no connection", () => Promise.reject(new TypeError("fetch failed")), "certificate"],
])("says what to do after %s", async (_, answer, words) => {
  const result = await tested(answer);
  expect(result).toMatchObject({ isConnected: false, text: expect.stringContaining(words) as string });
});

test("says that no answer came in time", async () => {
  const result = await tested(() => new Promise<Response>(() => {}), undefined, 50);
  expect(result).toMatchObject({ isConnected: false, text: expect.stringContaining("in time") as string });
});

test("does not follow a redirect, and says that the address is not Periscope's", async () => {
  const asked: string[] = [];
  await using service = createServer(({ url = "" }, response) => {
    asked.push(url);
    response.writeHead(302, { Location: "/login" }).end();
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  const { port } = service.address() as AddressInfo;
  const result = await testConnection(createClient(`http://127.0.0.1:${port}/api/v1`, "psk_1"), englishWords);
  expect(result).toMatchObject({ isConnected: false, text: expect.stringContaining("not Periscope") as string });
  expect(asked).toEqual(["/api/v1/key"]);
});

test("does not name certificates when http fails", async () => {
  const result = await tested(() => Promise.reject(new TypeError("fetch failed")), "http://127.0.0.1:1/api/v1");
  expect(result).toMatchObject({ text: expect.stringContaining("Nothing answers") as string });
});
