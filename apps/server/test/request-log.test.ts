import { expect, it } from "vitest";
import { createMessage } from "./messages.js";
import { rawRequest } from "./raw-request.js";
import { routes, sendSample } from "./sample-requests.js";
import { Installation, type ServerProcess } from "./server-process.js";

/** Sent in every place where something private may be; must never reach the log. */
const secret = "xylophone";

it("writes one line a request, without keys, queries, content, headers or unknown paths", async () => {
  await using installation = await Installation.create({ LOG_LEVEL: "trace" });
  // Before the first start, which would print a key of its own.
  const client = await installation.client((): ServerProcess => server);
  const server = await installation.serve();
  const { baseUrl } = server;
  const greeting = server.out.length;

  const tab = { id: secret, url: `https://${secret}.example/${secret}?${secret}=1`, title: `The ${secret}` };
  const context = { id: secret, content: `About a ${secret}`, tabId: secret, tabMetadata: tab, metadata: { [secret]: secret } };
  const message = createMessage({ messageId: secret, extensionId: secret, context });
  let sent = 0;
  const count = async (answer: Promise<{ status: number }>) => {
    const { status } = await answer;
    sent++;
    return status;
  };
  expect(await count(client.sync(message))).toBe(201);
  expect(await count(client.sync({ ...message, payload: { context: { [secret]: secret, type: secret } } }))).toBe(400);
  expect(await count(client.batch([message, { id: secret, type: secret }]))).toBe(207);
  for (const route of routes) await count(sendSample(client, route, { contextId: secret }));
  for (const path of [
    `/context/search?query=${secret}`,
    `/context/${secret}?${secret}=${secret}`,
    `/context/history?since=${secret}`,
    `/${secret}/${secret}`,
  ])
    await count(client.get(path));
  const raw = (path: string, headers = {}, body?: string) =>
    count(rawRequest(baseUrl, { method: body === undefined ? "GET" : "POST", path, headers, body }));
  await raw(`/${secret}?${secret}`, {
    Cookie: secret,
    "User-Agent": secret,
    Referer: secret,
    "X-Forwarded-For": secret,
    "X-Request-Id": `${secret}!`,
  });
  await raw("/api/v1/context/current", { Authorization: `Bearer ${secret}` });
  await raw("/api/v1/context/current", { Authorization: `Bearer ${client.key.slice(0, -1)}` });
  await raw(
    "/api/v1/context/sync",
    { Authorization: `Bearer ${client.key}`, "Content-Type": "application/json" },
    `{"${secret}": ${secret}`,
  );
  await raw("/healthz");
  expect(await server.end("SIGTERM")).toBe(0);

  const text = server.out.slice(greeting);
  expect(server.err).toBe("");
  expect(text).not.toContain(secret);
  expect(text).not.toContain(client.key);
  // The secret part of the key; its id may be told.
  expect(text).not.toContain(client.key.slice(-42, -1));
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(sent);
  for (const line of lines)
    expect(line).toMatchObject({
      method: expect.any(String),
      route: expect.any(String),
      status: expect.any(Number),
      ms: expect.any(Number),
    });
  expect(new Set(lines.map(({ requestId }) => requestId)).size).toBe(sent);
  const known = ["/healthz", "(none)", ...routes.map(({ meta }) => meta.openapi.path)];
  expect(known).toEqual(expect.arrayContaining(lines.map(({ route }) => route)));
  expect(lines.filter(({ userId }) => userId !== undefined && userId !== client.userId)).toEqual([]);
  expect(lines[0]).toMatchObject({ method: "POST", route: "/context/sync", status: 201, userId: client.userId });
});
