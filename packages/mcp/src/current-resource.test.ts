import { InMemoryTransport } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import type { ContextSource } from "./context-source.js";
import { createMcpServer } from "./create-server.js";
import { currentUri } from "./current-resource.js";

const never = async () => await new Promise<never>(() => {});

it("ends a later subscription too, when an earlier one ends late", async () => {
  const followed: Array<{ signal: AbortSignal; onEnd: () => void }> = [];
  const follow: ContextSource["follow"] = (_onChange, options) => void followed.push(options);
  const source: ContextSource = { current: never, history: never, search: never, get: never, delete: never, follow };
  const server = createMcpServer({ source, canDelete: false, version: "1.0.0", updates: "on-subscribe" });
  const [host, transport] = InMemoryTransport.createLinkedPair();
  await server.connect(transport);
  let answered = Promise.withResolvers<void>();
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is the one way to hear of it
  host.onmessage = () => answered.resolve();
  await host.start();
  const ask = async (method: string, params: Record<string, unknown>) => {
    answered = Promise.withResolvers();
    await host.send({ jsonrpc: "2.0", id: 1, method, params });
    await answered.promise;
  };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } });
  for (const method of ["subscribe", "unsubscribe", "subscribe"]) await ask(`resources/${method}`, { uri: currentUri });
  const [first, second] = followed;
  first?.onEnd();
  await server.close();
  expect([first?.signal.aborted, second?.signal.aborted]).toEqual([true, true]);
});
