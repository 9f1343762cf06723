import { configMessage, createMessage, deleteMessage, errorMessage, updateMessage } from "./messages.js";
import type { TestClient } from "./test-client.js";
import type { TestServer } from "./test-server.js";

/** Has the server store rows of every kind, of three users; their clients. */
export async function fillWithEverything(server: TestServer): Promise<TestClient[]> {
  const clients = await Promise.all(["ada", "Grace.x", "zoe"].map((userId) => server.client({ userId })));
  for (const client of clients) {
    const pages = Array.from({ length: 20 }, (_, index) =>
      createMessage({
        messageId: `page-${index}`,
        context: {
          id: `c${index}`,
          tabId: `${index % 4}`,
          content: `harbours, 灯台と霧笛, entry ${index} of ${client.userId}`,
          privacyLevel: "public",
        },
      }),
    );
    const others = [
      updateMessage("c3", { title: "A title about beacons" }, { messageId: "u3" }),
      deleteMessage("c5", { messageId: "d5" }),
      { id: "beat", type: "heartbeat", timestamp: "2026-01-31T12:57:00Z", payload: { type: "heartbeat", contextId: "c7" } },
      configMessage("conf", 3, { theme: "dark" }),
      errorMessage("E1"),
    ];
    const { body } = await client.batch([...pages, ...others]);
    if (body.failed !== 0) throw new Error(JSON.stringify(body));
    await client.putRules({ blockedSites: ["blocked.example"] });
    await client.delete("/context/c9");
  }
  await server.access.revokeKey((await server.access.createKey({ userId: "ada", scopes: ["read"] })).record.keyId);
  return clients;
}

const paths = [
  "history?limit=50",
  "current",
  "current?tabId=2",
  "c3",
  "c5",
  "c9",
  "search?query=harbours&limit=50",
  "search?query=%E9%9C%A7%E7%AC%9B",
];

/** What a client is answered, path by path. */
export async function answersTo(client: TestClient): Promise<unknown[]> {
  const answers = await Promise.all([...paths.map((path) => `/context/${path}`), "/privacy/rules"].map((path) => client.get(path)));
  return answers.map(({ status, body }) => ({ status, body: { ...body, requestId: undefined } }));
}
