import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect } from "vitest";
import bundled from "../../openapi.json" with { type: "json" };
import { withSharedServer as test } from "../../test/test-server.js";
import { docsPage, openApiPage } from "./pages.js";

test("serves the OpenAPI document with this server's address", async ({ server }) => {
  const response = await fetch(`${server.baseUrl}/openapi.json`);
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(await response.json()).toEqual({ ...bundled, servers: [{ url: server.baseUrl, description: "This installation" }] });
});

test("names the public address in document and reference behind a proxy", async () => {
  const publicUrl = "https://periscope.example/ctx/api/v1";
  const app = express().get("/openapi.json", openApiPage(publicUrl)).get("/docs", docsPage(publicUrl));
  await using server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const get = (path: string) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  expect(await (await get("/openapi.json")).json()).toMatchObject({ servers: [{ url: publicUrl }] });
  expect(await (await get("/docs")).text()).toContain("&quot;url&quot;:&quot;/ctx/api/v1&quot;");
});

test("lets the browser contact this server only, and Scalar nobody else", async ({ server }) => {
  const response = await fetch(`${server.baseUrl}/docs`);
  const [policy, html] = [response.headers.get("content-security-policy") ?? "", await response.text()];
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(policy).toContain("default-src 'none'; script-src 'self'; ");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
  expect(html).not.toMatch(/https?:/);
  const [, attribute = ""] = /data-configuration="([^"]*)"/.exec(html) ?? [];
  const options = JSON.parse(attribute.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&"));
  const off = { disabled: true };
  expect(options).toMatchObject({ withDefaultFonts: false, telemetry: false, agent: off, mcp: off, hideClientButton: true });
  expect(options).not.toHaveProperty("proxyUrl");
});

test("serves the script compressed where the client accepts it, plain where not", async ({ server }) => {
  const url = `${server.baseUrl}/docs/scalar.js`;
  const loaded = await fetch(url);
  expect([loaded.status, loaded.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
  expect(await loaded.text()).toContain("@scalar/api-reference");
  const head = (encoding: string) => fetch(url, { method: "HEAD", headers: { "accept-encoding": encoding } });
  const [compressed, plain] = [await head("gzip"), await head("identity")];
  expect([compressed.headers.get("content-encoding"), plain.headers.get("content-encoding")]).toEqual(["gzip", null]);
  expect(Number(compressed.headers.get("content-length"))).toBeLessThan(Number(plain.headers.get("content-length")) / 2);
});

test.for(["openapi.json", "docs", "docs/scalar.js"])("loads %s once, and revalidates it by its ETag", async (page, { server }) => {
  const url = `${server.baseUrl}/${page}`;
  const first = await fetch(url, { method: "HEAD" });
  expect([first.status, await first.text()]).toEqual([200, ""]);
  const etag = first.headers.get("etag") ?? "";
  expect((await fetch(url, { headers: { "if-none-match": `W/${etag}` } })).status).toBe(304);
  expect((await fetch(url, { method: "HEAD", headers: { "if-none-match": '"another"' } })).status).toBe(200);
});
