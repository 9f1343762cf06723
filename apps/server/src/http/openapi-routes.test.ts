import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import bundled from "../../openapi.json" with { type: "json" };
import { TestServer } from "../../test/test-server.js";
import { createDocsHandler, createOpenApiHandler } from "./openapi-routes.js";

test("the document is served without a key, with this server's address", async () => {
  await using server = await TestServer.start();
  const response = await fetch(`${server.baseUrl}/openapi.json`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(response.headers.has("x-ratelimit-limit")).toBe(false);
  expect(await response.json()).toEqual({ ...bundled, servers: [{ url: server.baseUrl, description: "This installation" }] });
});

test("behind a proxy the document and the reference name the public address", async () => {
  const publicUrl = "https://periscope.example/ctx/api/v1";
  const routes = { "/openapi.json": createOpenApiHandler({ publicUrl }), "/docs": createDocsHandler({ publicUrl }) };
  const server = createServer((req, res) => routes[req.url as keyof typeof routes](req, res)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  for (const path of Object.keys(routes)) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    expect(await answer.text()).toContain(publicUrl);
  }
  server.close();
});

test("the reference is served without a key, under a policy that lets nothing in", async () => {
  await using server = await TestServer.start();
  const response = await fetch(`${server.baseUrl}/docs`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(response.headers.has("x-ratelimit-limit")).toBe(false);
  expect(await response.text()).toContain(`<code>${server.baseUrl}</code>`);
});

test.each(["openapi.json", "docs"])("%s is loaded once and then only asked for", async (page) => {
  await using server = await TestServer.start();
  const url = `${server.baseUrl}/${page}`;
  const first = await fetch(url, { method: "HEAD" });
  expect(first.status).toBe(200);
  expect(await first.text()).toBe("");
  const etag = first.headers.get("etag") ?? "";
  expect((await fetch(url, { headers: { "if-none-match": `W/${etag}` } })).status).toBe(304);
  expect((await fetch(url, { headers: { "if-none-match": '"another"' } })).status).toBe(200);
});
