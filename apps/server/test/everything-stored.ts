import { configMessage, createMessage, deleteMessage, errorMessage, updateMessage } from "./messages.js";
import type { Answer, TestClient } from "./test-client.js";
import type { TestServer } from "./test-server.js";

/** What was sent to a server, by the client that sent it. */
export type Sent = Map<TestClient, unknown[]>;

const at = (minute: number) => new Date(Date.UTC(2026, 0, 31, 12, minute)).toISOString();
const topics = ["harbours and their lamps", "fog signals", "Leuchttürme an der Küste", "灯台と霧笛", "keeper's diaries, getLampOil()"];

function page(user: string, index: number) {
  const url = `https://site${index % 7}.example/${user}/page-${index}?q=${index}`;
  const content = `<p>${topics[index % topics.length]}, entry ${index} of ${user}.</p>`.repeat(1 + (index % 5));
  return createMessage({
    messageId: `page-${index}`,
    timestamp: at(10 + (index % 40)),
    context: {
      id: `c${index}`,
      // Few moments, so that arrival decides what is current.
      capturedAt: at(index % 3),
      tabId: `${index % 4}`,
      content: index % 2 === 0 ? content : topics[index % topics.length],
      privacyLevel: index % 6 === 0 ? "filtered" : "public",
      metadata: { project: `p${index % 3}`, odd: "\ud83d \u0000 end" },
      tabMetadata: { id: `${index % 4}`, url, title: `Notes ${index} \u0000 on lamps` },
    },
  });
}

/** Has the server store rows of every kind, of three users whose contexts arrive by turns; all that was sent has taken effect. */
export async function fillWithEverything(server: TestServer): Promise<Sent> {
  const sent: Sent = new Map();
  for (const userId of ["ada", "Grace.x", "zoe"]) sent.set(await server.client({ userId }), []);
  const send = async (client: TestClient, messages: unknown[]) => {
    const { body } = await client.batch(messages);
    if (body.failed !== 0) throw new Error(JSON.stringify(body));
    sent.get(client)?.push(...messages);
  };
  for (let first = 0; first < 60; first += 20)
    for (const client of sent.keys())
      await send(
        client,
        Array.from({ length: 20 }, (_, index) => page(client.userId, first + index)),
      );
  for (const client of sent.keys()) {
    await send(client, [
      updateMessage("c3", { title: "An updated title about beacons" }, { messageId: "u3", timestamp: at(55) }),
      deleteMessage("c5", { messageId: "d5", timestamp: at(56) }),
      deleteMessage("never-there", { messageId: "d-never", timestamp: at(56) }),
      { id: "beat", type: "heartbeat", timestamp: at(57), payload: { type: "heartbeat", contextId: "c7" } },
      configMessage("conf", 3, { theme: "dark", mail: "keeper@mail.example" }),
      configMessage("conf-phone", 4, { theme: "phone" }, "phone"),
      errorMessage("E1", { details: { at: "line\u0000 1" } }),
      errorMessage("E2"),
    ]);
  }
  const [ada, grace] = [...sent.keys()];
  await ada?.putRules({ blockedSites: ["blocked.example"], denyList: ["Project Heron"] });
  await grace?.delete("/context/c9");
  const spare = await server.access.createKey({ userId: "ada", scopes: ["read"], name: "an old one" });
  await server.access.revokeKey(spare.record.keyId);
  await server.access.createKey({ userId: "ada", scopes: ["read"], maxPrivacyLevel: "public", expiresInMs: 86_400_000 });
  return sent;
}

const paths = [
  "/context/history?limit=50",
  "/context/history?limit=20&offset=40&type=page",
  "/context/current",
  "/context/current?tabId=2",
  "/context/current?extensionId=default",
  "/context/c3",
  "/context/c5",
  "/context/c7",
  "/context/c9",
  "/privacy/rules",
  ...["lamps", "fog", '"fog signals"', "leuchtturm", "霧笛", "lampoil", "beacons -fog", "p2", "fogg", "nothing"].map(
    (query) => `/context/search?query=${encodeURIComponent(query)}&limit=50`,
  ),
  "/context/search?urlPattern=site3*page-1",
];

/** What a client is answered, path by path. */
export async function answersTo(client: TestClient): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const path of paths) {
    const { status, body }: Answer = await client.get(path);
    const { requestId: _requestId, ...told } = body;
    answers.push({ path, status, body: told });
  }
  return answers;
}
