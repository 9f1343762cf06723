import { expect, it } from "vitest";
import { createMessage } from "./messages.js";
import { parsePrometheusText } from "./prometheus-text.js";
import { rawRequest } from "./raw-request.js";
import { routes, sendSample } from "./sample-requests.js";
import { Installation, type ServerProcess } from "./server-process.js";

/** Sent in every place where something private may be; must never reach the log. */
const secret = "xylophone";

it("logs a line a request, and shows nothing private in it or in the metrics", async () => {
  await using installation = await Installation.create({ LOG_LEVEL: "trace" });
  // Before the first start, which would print a key of its own.
  const client = await installation.client((): ServerProcess => server);
  const server = await installation.serve();
  const greeting = server.out.length;
  const tab = { id: secret, url: `https://${secret}.example/${secret}?${secret}=1`, title: `The ${secret}` };
  const texts = { content: `${secret}@mail.example about a ${secret}`, tabId: secret, metadata: { [secret]: secret } };
  const context = { id: secret, privacyLevel: "filtered", tabMetadata: tab, ...texts };
  const message = createMessage({ messageId: secret, extensionId: secret, context });
  const headers = { Cookie: secret, "User-Agent": secret, Referer: secret, "X-Forwarded-For": secret, "X-Request-Id": `${secret}!` };
  const authorized = { Authorization: `Bearer ${client.key}`, "Content-Type": "application/json" };
  const raw = (path: string, more = {}, body?: string) =>
    rawRequest(server.baseUrl, { method: body === undefined ? "GET" : "POST", path, headers: more, body });
  const requests = [
    () => client.sync(message),
    () => client.sync({ ...message, payload: { context: { [secret]: secret, type: secret } } }),
    () => client.batch([message, { id: secret, type: secret }]),
    ...routes.map((route) => () => sendSample(client, route, { contextId: secret })),
    ...[`search?query=${secret}`, `${secret}?${secret}=${secret}`, `history?since=${secret}`, `${secret}/x`].map(
      (path) => () => client.get(`/context/${path}`),
    ),
    () => raw(`/${secret}?${secret}`, headers),
    () => raw("/api/v1/context/current", { Authorization: `Bearer ${client.key.slice(0, -1)}` }),
    () => raw("/api/v1/context/sync", authorized, `{"${secret}": ${secret}`),
    () => raw("/healthz"),
  ];
  for (const send of requests) await send();
  const metrics = (await raw("/metrics")).text;
  expect(parsePrometheusText(metrics).value("periscope_privacy_redactions_total")).toBeGreaterThan(0);
  expect(await server.end("SIGTERM")).toBe(0);

  const text = server.out.slice(greeting);
  expect(server.err).toBe("");
  // The secret part of the key; its id may be told.
  for (const word of [secret, client.key.slice(-42, -1)]) expect(text + metrics).not.toContain(word);
  for (const word of [client.keyId, client.userId, ".example"]) expect(metrics).not.toContain(word);
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.splice(-2)).toMatchObject([{ msg: "stopping: requests in progress are finished first" }, { msg: "stopped" }]);
  expect(new Set(lines.map(({ requestId }) => requestId)).size).toBe(requests.length + 1);
  const known = ["/healthz", "/metrics", "(none)", ...routes.map(({ meta }) => meta.openapi.path)];
  for (const line of lines) expect(line).toMatchObject({ method: expect.any(String), status: expect.any(Number), ms: expect.any(Number) });
  expect(known).toEqual(expect.arrayContaining(lines.map(({ route }) => route)));
  expect(lines.filter(({ userId }) => userId !== undefined && userId !== client.userId)).toEqual([]);
  expect(lines[0]).toMatchObject({ method: "POST", route: "/context/sync", status: 201, userId: client.userId });
});
