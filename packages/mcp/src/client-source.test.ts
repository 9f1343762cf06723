import { Periscope } from "@periscope/client";
import { expect, it } from "vitest";
import { createClientSource, mayDelete } from "./client-source.js";
import { correctAddress } from "./failure.js";

const options = { baseUrl: "http://periscope.test", apiKey: "psk_test_0123456789", logLevel: "off" } as const;
const noPath = { error: "not_found", message: "There is nothing at this path. See /api/v1/docs." };

it.each<[string, () => Response]>([
  ["the service", () => Response.json(noPath, { status: 404 })],
  ["a proxy", () => new Response("<h1>Not Found</h1>", { status: 404 })],
])("says that the address is wrong, and not that there is no context, when %s knows no such path", async (_, reply) => {
  const periscope = new Periscope({ ...options, fetch: async () => reply() });
  const source = createClientSource(periscope, "http://periscope.test/psk_abc/mcp");
  const wrong = {
    code: "unavailable",
    message: "There is no Periscope at PERISCOPE_BASE_URL, which is http://periscope.test/[key]/mcp.",
    nextStep: correctAddress,
  };
  await expect(source.current({ maxChars: 3_000 }, {})).rejects.toMatchObject(wrong);
  await expect(source.history({ limit: 1 }, {})).rejects.toMatchObject(wrong);
  await expect(source.search({ query: "lamp", limit: 1, offset: 0 }, {})).rejects.toMatchObject(wrong);
  await expect(source.delete("ctx_1", {})).rejects.toMatchObject({ name: "SourceError" });
  await expect(mayDelete(periscope)).rejects.toMatchObject({ name: "SourceError" });
});

it("says where the address redirects to, and that the user must correct it", async () => {
  const redirects = async () => new Response(null, { status: 308, headers: { Location: "https://periscope.test/" } });
  const periscope = new Periscope({ ...options, fetch: redirects });
  const wrong = {
    code: "unavailable",
    message: expect.stringContaining("a redirect to https://periscope.test/, "),
    nextStep: correctAddress,
  };
  await expect(createClientSource(periscope).current({ maxChars: 3_000 }, {})).rejects.toMatchObject(wrong);
  await expect(mayDelete(periscope)).rejects.toMatchObject(wrong);
});

it.each([
  [["read", "delete"], true],
  [["read", "write"], false],
])("knows from GET /key whether a key with the scopes %j may delete", async (scopes, expected) => {
  const standing = { limit: 600, remaining: 599, reset: 1_769_862_900 };
  const key = {
    userId: "usr_1",
    keyId: "key_1",
    name: "Laptop",
    scopes,
    maxPrivacyLevel: "restricted",
    createdAt: "2026-01-31T12:34:56.789Z",
    expiresAt: null,
    limits: { sync: standing, "batch-sync": standing, read: standing, search: standing, delete: standing },
    server: { version: "0.1.0", live: false },
  };
  const asked: string[] = [];
  const fetch = async (request: string | URL | Request, init?: RequestInit) => {
    const { method, url } = new Request(request, init);
    asked.push(`${method} ${url}`);
    return Response.json(key);
  };
  expect(await mayDelete(new Periscope({ ...options, fetch }))).toBe(expected);
  expect(asked).toEqual(["GET http://periscope.test/api/v1/key"]);
});

it("asks for another key when it cannot be sent, and refuses what cannot be an id", async () => {
  const fetch = async () => Response.json({});
  const placeholder = createClientSource(new Periscope({ ...options, apiKey: "psk_…", fetch }));
  const failing = createClientSource(new Periscope({ ...options, apiKey: () => Promise.reject(new Error("vault")), fetch }));
  for (const source of [placeholder, failing]) {
    await expect(source.current({ maxChars: 3_000 }, {})).rejects.toMatchObject({ name: "SourceError", code: "unauthorized" });
    await expect(source.get("ctx_1", { maxChars: 3_000 }, {})).rejects.toMatchObject({ name: "SourceError", code: "unauthorized" });
  }
  const source = createClientSource(new Periscope({ ...options, fetch }));
  await expect(source.get("current", { maxChars: 3_000 }, {})).rejects.toMatchObject({ name: "SourceError", code: "bad_request" });
  // Of another version, or of something else: that is not the key's fault.
  await expect(source.search({ query: "lamp", limit: 1, offset: 0 }, {})).rejects.toMatchObject({ code: "unavailable" });
});
