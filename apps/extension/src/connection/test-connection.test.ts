import { expect, test } from "vitest";
import { englishWords } from "../../test/english-words.js";
import { connectionWords } from "./connection-words.js";
import { testConnection } from "./test-connection.js";

const server = "https://periscope.example/api/v1";
const error = (status: number, code: string) => Response.json({ error: code, message: "…" }, { status, headers: { "Retry-After": "7" } });

/** A server that answers by method and path. */
function service(answers: Record<string, () => Response | Promise<Response>>, seen: string[] = []) {
  return async (url: string, init: RequestInit) => {
    const path = url.replace(/^https?:\/\/[^/]+/, "");
    seen.push(`${init.method ?? "GET"} ${url} ${new Headers(init.headers).get("Authorization") ?? "without key"}`);
    const answer = answers[`${init.method ?? "GET"} ${path.split("?")[0]}`] ?? answers["*"];
    if (answer === undefined) throw new TypeError("fetch failed");
    return await answer();
  };
}

const batch = "POST /api/v1/context/batch-sync";
const history = "GET /api/v1/context/history";
const remove = "DELETE /api/v1/context/periscope-extension-connection-test";

test.each<[string, Parameters<typeof service>[0], string]>([
  [
    "all scopes",
    { [batch]: () => error(400, "bad_request"), [history]: () => Response.json({}), [remove]: () => error(404, "not_found") },
    "may write, read, delete.",
  ],
  ["only write", { [batch]: () => error(400, "bad_request"), "*": () => error(403, "forbidden") }, "cannot delete"],
  ["401", { "*": () => error(401, "unauthorized") }, "refuses this key"],
  ["403", { "*": () => error(403, "forbidden") }, "may not write"],
  ["429", { "*": () => error(429, "rate_limited") }, "in 7 seconds"],
  ["500", { "*": () => error(500, "internal_error") }, "answered 500"],
  ["a proxy's 502", { "*": () => new Response("<h1>Bad gateway</h1>", { status: 502 }) }, "answered 502"],
  ["HTML", { "*": () => new Response("<!doctype html>Sign in") }, "not Periscope"],
  ["another program's JSON", { "*": () => Response.json({ ok: true }) }, "not Periscope"],
  ["nothing", {}, "Either nothing answers"],
  ["no safe connection", { "GET /api/v1": () => new Response("") }, "certificate"],
])("%s", async (_, answers, words) => {
  const seen: string[] = [];
  const result = await testConnection({ server, key: "psk_1", fetch: service(answers, seen) });
  expect(connectionWords(englishWords, result)).toContain(words);
  expect(seen.filter((request) => request.includes(" http:") && !request.endsWith("without key"))).toEqual([]);
});

test("a server that hangs, one that is not there, and one without a key", async () => {
  const hangs = (_: string, { signal }: RequestInit) =>
    new Promise<Response>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
  expect(await testConnection({ server, key: "k", fetch: hangs, requestMs: 20 })).toEqual({ is: "timeout", seconds: 0.02 });
  expect(await testConnection({ server: "http://127.0.0.1:1/api/v1", key: "k", fetch: service({}) })).toEqual({ is: "unreachable" });
  expect(await testConnection({ server, key: "", fetch: service({ "*": () => error(401, "unauthorized") }) })).toEqual({ is: "no-key" });
});
