import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { pair } from "./pair.js";

/** Pairs with a server that answers the approved code like this. */
async function paired(status: number, body: string): Promise<unknown> {
  const answer = `HTTP/1.1 ${status} X\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
  const server = createServer((socket) => socket.once("data", () => socket.end(answer))).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.stubGlobal("location", { origin: "chrome-extension://abcdefghijklmnopabcdefghijklmnop" });
  onTestFinished(() => void vi.unstubAllGlobals());
  return await pair(approvingTabs(root), `${root}/api/v1`, "Chrome on Linux").catch((error: unknown) => error);
}

/** Tabs of a browser in which the person approves at once. */
function approvingTabs(root: string): Parameters<typeof pair>[0] {
  type Updated = (tabId: number, change: { url?: string }) => void;
  let updated: Updated = () => {};
  const tabs = {
    onUpdated: { addListener: (listener: Updated) => (updated = listener), removeListener() {} },
    onRemoved: { addListener() {}, removeListener() {} },
    async create() {
      setImmediate(() => updated(7, { url: `${root}/pair/done?code=approved` }));
      return { id: 7 };
    },
    remove: async () => {},
    getCurrent: async () => undefined,
  };
  return { tabs } as unknown as Parameters<typeof pair>[0];
}

test("passes on what the server advises when the person has too many keys", async () => {
  const message = "This user has 100 valid keys already, which is the most. Revoke a key, then try again.";
  const body = JSON.stringify({ error: "conflict", message, requestId: "r" });
  expect(await paired(409, body)).toMatchObject({ name: "PairingError", reason: "refused", advice: message });
});

test.each<[string, number, string]>([
  ["a proxy's 409", 409, "<h1>Conflict</h1>"],
  ["another refusal", 403, JSON.stringify({ error: "forbidden", message: "No." })],
  ["a key with an error status", 500, JSON.stringify({ apiKey: "psk_1" })],
])("gets no key and no advice from %s", async (_, status, body) => {
  expect(await paired(status, body)).toMatchObject({ name: "PairingError", reason: "refused", advice: undefined });
});
