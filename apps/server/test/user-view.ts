import { expect } from "vitest";
import { mcpView } from "./endpoints.js";
import { createMessage } from "./messages.js";
import { routes, sendSample } from "./sample-requests.js";
import type { TestClient } from "./test-client.js";
import type { TestServer } from "./test-server.js";

/** A client whose user has one context. */
export async function owner(server: TestServer, contextId = "context"): Promise<TestClient> {
  const client = await server.client();
  expect((await client.sync(createMessage({ context: { id: contextId } }))).status).toBe(201);
  return client;
}

/** Every GET route about data; `GET /key` is about the key itself. */
const reading = routes.filter(({ name, meta }) => meta.openapi.method === "GET" && name !== "key");
/** An export without its time, and the hash that the time changes. */
const withoutTime = (text: string) => text.replaceAll(/"(?:exportedAt|sha256)":"[^"]*"/g, "");

/** Everything that the user can see, through every GET route and MCP. */
export async function view(client: TestClient, contextId = "context"): Promise<unknown[]> {
  const answers = await Promise.all(reading.map((route) => sendSample(client, route, { contextId })));
  return [
    // An event id tells of every write of the user.
    ...answers.map(({ status, body }) => ({
      status,
      body:
        typeof body === "string"
          ? withoutTime(body)
          : { ...body, requestId: undefined, ...(body?.type === "subscribed" && { id: undefined }) },
    })),
    ...(await mcpView(client, contextId)),
  ];
}
