import { networkInterfaces } from "node:os";
import { expect } from "vitest";
import { createMessage, deleteMessage, updateMessage } from "./messages.js";
import { parsePrometheusText, type PrometheusText } from "./prometheus-text.js";
import { rawRequest } from "./raw-request.js";
import { TestServer, withOwnServer as it } from "./test-server.js";

const hostOf = (server: TestServer) => new URL(server.baseUrl).origin;

async function scrape(server: TestServer): Promise<PrometheusText> {
  const origin = `http://127.0.0.1:${new URL(server.baseUrl).port}`;
  const { status, text, headers } = await rawRequest(origin, { path: "/metrics" });
  expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  return parsePrometheusText(text);
}

/** Values of a metric by what these labels say. */
const counts = ({ samples }: PrometheusText, metric: string, ...names: string[]) =>
  Object.fromEntries(
    samples.filter(({ name }) => name === metric).map(({ labels, value }) => [names.map((name) => labels[name]).join(" "), value]),
  );

it("counts requests by method, route and status, with durations by route", async ({ server, client }) => {
  for (let i = 0; i < 3; i++) expect((await client.get("/context/history")).status).toBe(200);
  for (const path of ["history?limit=0", "some-id"]) await client.get(`/context/${path}`);
  for (const method of ["HEAD", "DELETE", "PUT"]) await client.send(method, "/context/some-id");
  const origin = hostOf(server);
  for (const path of ["/api/v1/context/current", "/healthz", "/some-path?some=query"]) await rawRequest(origin, { path });
  await rawRequest(origin, { method: "PROPFIND", path: "/some-path" });

  const metrics = await scrape(server);
  expect(counts(metrics, "periscope_http_requests_total", "method", "route", "status")).toEqual({
    "GET /context/history 200": 3,
    "GET /context/history 400": 1,
    "GET /context/{contextId} 404": 1,
    "HEAD /context/{contextId} 404": 1,
    "DELETE /context/{contextId} 404": 1,
    "PUT /context/{contextId} 405": 1,
    "GET /context/current 401": 1,
    "GET /healthz 200": 1,
    "GET (none) 404": 1,
    "(other) (none) 404": 1,
  });
  const duration = (kind: string) => metrics.value(`periscope_http_request_duration_seconds_${kind}`, { route: "/context/history" });
  expect([duration("count"), duration("sum") > 0]).toEqual([4, true]);
  // The scrape itself.
  expect(metrics.value("periscope_http_requests_in_flight")).toBe(1);
  expect((await scrape(server)).value("periscope_http_requests_total", { route: "/metrics", status: "200" })).toBe(1);
});

it("reports version and process, for each server on its own", async ({ server }) => {
  await using other = await TestServer.start();
  await (await server.client()).get("/context/history");
  const metrics = await scrape(server);
  const [build] = metrics.samples.filter(({ name }) => name === "periscope_build_info");
  expect(build).toEqual({ name: "periscope_build_info", labels: { version: expect.stringMatching(/^\d+\.\d+\.\d+/) }, value: 1 });
  expect(metrics.value("process_resident_memory_bytes")).toBeGreaterThan(1e6);
  expect(metrics.types.get("process_cpu_seconds_total")).toBe("counter");
  expect(metrics.types.get("nodejs_eventloop_lag_p99_seconds")).toBe("gauge");
  expect((await scrape(other)).value("periscope_http_requests_total")).toBe(0);
});

it("counts requests refused by a rate limit", async () => {
  const rateLimits = { sync: 1000, batchSync: 1, read: 2, search: 1000, delete: 1000, anonymous: 1 };
  await using server = await TestServer.start({ rateLimits });
  server.clock.now = Date.parse("2026-01-31T12:00:10Z");
  const client = await server.client();
  for (let i = 0; i < 5; i++) await client.get("/context/history");
  for (let i = 0; i < 3; i++) await client.batch([createMessage()]);
  for (let i = 0; i < 3; i++) await rawRequest(server.baseUrl, { path: "/api/v1/context/current" });
  // Answered 404, not 429.
  for (let i = 0; i < 2; i++) await rawRequest(server.baseUrl, { path: "/nothing" });
  expect(counts(await scrape(server), "periscope_http_rate_limited_total", "budget")).toEqual({ read: 3, "batch-sync": 2, anonymous: 2 });
});

it("counts messages by type and outcome, and what the privacy filter did", async () => {
  await using server = await TestServer.start({ privacyPolicy: { blockedSites: ["blocked.example"] } });
  const client = await server.client();
  const page = (id: string, host: string, fields: object = {}, tab: object = {}) =>
    createMessage({
      messageId: id,
      context: { id, tabMetadata: { id: "7", url: `https://${host}/`, title: "A page", ...tab }, ...fields },
    });
  const secret = page("a", "articles.example", { content: "Mail jo@example.com or al@example.com", privacyLevel: "filtered" });
  expect((await client.sync(secret)).body.redactions).toEqual({ email: 2 });
  // The same again, in a batch: nothing is written.
  await client.batch([
    secret,
    secret,
    page("b", "articles.example"),
    page("refused", "blocked.example"),
    page("private", "articles.example", {}, { incognito: true }),
    { ...createMessage(), type: "no-such-type" },
    { ...createMessage(), payload: {} },
    "not even an object",
  ]);
  await client.sync(updateMessage("b", { privacyLevel: "restricted" }));
  await client.sync(updateMessage("nothing", { title: "A" }));
  // Older than what is there.
  await client.sync(createMessage({ timestamp: "2025-01-31T12:00:01.000Z", context: { id: "a" } }));
  await client.sync(deleteMessage("a"));
  await client.batch([{ ...createMessage(), type: "batch" }]);

  const metrics = await scrape(server);
  expect(counts(metrics, "periscope_sync_messages_total", "type", "outcome")).toEqual({
    "create stored": 3,
    "create duplicate": 2,
    "create privacy_rejected": 2,
    "create validation_error": 1,
    "(none) validation_error": 2,
    "update stored": 1,
    "update not_found": 1,
    "delete stored": 1,
    "batch validation_error": 1,
  });
  const privacy = (name: string, label: string) => counts(metrics, `periscope_privacy_${name}_total`, label);
  expect(privacy("contexts", "level")).toEqual({ public: 0, private: 1, filtered: 1, restricted: 1 });
  expect(privacy("redactions", "kind")).toEqual({ email: 2 });
  expect(privacy("not_captured", "reason")).toEqual({ "blocked-site": 1, "private-window": 1 });
  expect(privacy("failed_closed", "part")).toEqual({ context: 0, record: 0, text: 0 });
});

const addresses = Object.values(networkInterfaces()).flatMap((list = []) => list);
const hasIpv6 = addresses.some(({ internal, family }) => internal && family === "IPv6");
/** Where the server may listen, and how it is then reached from this machine; IPv6 where there is any. */
const listening = [{ host: "0.0.0.0", loopback: ["127.0.0.1"] }, ...(hasIpv6 ? [{ host: "::", loopback: ["[::1]", "127.0.0.1"] }] : [])];
/** Addresses of this machine that others reach it at, if it has any. */
const ownAddresses = addresses.filter(({ internal, family }) => !internal && family === "IPv4").map(({ address }) => address);

/** The path looks like one that does not exist. */
async function expectNothingThere(origin: string, headers: Record<string, string> = {}): Promise<void> {
  const [asked, unknown] = await Promise.all(["/metrics", "/no-such-path"].map((path) => rawRequest(origin, { path, headers })));
  expect([asked?.status, { ...asked?.body, requestId: "" }]).toEqual([404, { ...unknown?.body, requestId: "" }]);
  expect([...(asked?.headers.keys() ?? [])].toSorted()).toEqual([...(unknown?.headers.keys() ?? [])].toSorted());
  expect((await rawRequest(origin, { method: "POST", path: "/metrics", headers })).status).toBe(404);
}

it.each(listening)("METRICS=local (default) on $host: only this machine, and not through a proxy", async ({ host, loopback }) => {
  await using server = await TestServer.start({ host });
  const { port } = new URL(server.baseUrl);
  for (const name of loopback) {
    const origin = `http://${name}:${port}`;
    expect((await rawRequest(origin, { path: "/metrics" })).status).toBe(200);
    for (const header of ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"]) await expectNothingThere(origin, { [header]: "127.0.0.1" });
    await expectNothingThere(origin, { "X-Forwarded-For": "" });
  }
  for (const name of ownAddresses) await expectNothingThere(`http://${name}:${port}`);
  // A page of a name that was pointed here, and a proxy that passes the Host on and sends no other header.
  const statusFor = async (Host: string) => (await rawRequest(`http://127.0.0.1:${port}`, { path: "/metrics", headers: { Host } })).status;
  for (const name of ["rebound.example", "127.0.0.1.evil.example", "localhost.evil.example:3000", "10.0.0.1"])
    expect([name, await statusFor(name)]).toEqual([name, 404]);
  for (const name of ["LOCALHOST:3000", "127.0.0.2:80", "[::1]:3000"]) expect([name, await statusFor(name)]).toEqual([name, 200]);
  // Of what was refused the metrics do not say that it was for them.
  expect((await scrape(server)).value("periscope_http_requests_total", { route: "/metrics" })).toBe(loopback.length + 3);
});

it("METRICS=local ignores a trusted proxy's address; off shows nobody anything", async () => {
  await using proxied = await TestServer.start({ trustProxy: 1 });
  await expectNothingThere(hostOf(proxied), { "X-Forwarded-For": "127.0.0.1" });
  await using off = await TestServer.start({ metricsReaders: "off" });
  await expectNothingThere(hostOf(off));
});

it("METRICS=any: everyone who reaches the port, also through a proxy", async () => {
  await using server = await TestServer.start({ host: "0.0.0.0", metricsReaders: "any" });
  const { port } = new URL(server.baseUrl);
  for (const host of ["127.0.0.1", ...ownAddresses]) {
    const headers = { "X-Forwarded-For": "192.0.2.7" };
    expect((await rawRequest(`http://${host}:${port}`, { path: "/metrics", headers })).status).toBe(200);
  }
});
