import { createQueue } from "@periscope/sync/core";
import { fakeService, memoryStore } from "@periscope/sync/testing";
import { expect, test } from "vitest";
import { initialSettings } from "../settings/settings.js";
import { destinationOf } from "./destination.js";

const agreed = { ...initialSettings, consent: { version: 1, at: 1 } };
const home = { settings: { ...agreed, server: "https://home.example/api/v1", account: "ada" }, key: "psk_home" };
const work = { settings: { ...agreed, server: "https://work.example/api/v1", account: "ada at work" }, key: "psk_work" };

test("sends a key only to the server that it was entered for", async () => {
  let current = home;
  let asked = 0;
  const sent: string[] = [];
  const service = fakeService();
  // They change now and then, at each step of a request.
  const read = async () => ((asked += 1) % 13 === 0 ? (current = current === home ? work : home) : current);
  const queue = createQueue({
    ...destinationOf({ read: async () => (await read()).settings, readWithKey: read }),
    filter: (message) => ({ keep: true, message }),
    store: memoryStore(),
    fetch: async (url, init) => {
      sent.push(`${url} ${new Headers(init.headers).get("Authorization")}`);
      return await service.fetch(url, init);
    },
  });
  for (let round = 0; round < 60; round += 1) {
    await queue.enqueue({ type: "heartbeat", payload: { contextId: `c${round}` } });
    await queue.flush();
  }
  expect([...new Set(sent)].toSorted()).toEqual([
    "https://home.example/api/v1/context/batch-sync Bearer psk_home",
    "https://work.example/api/v1/context/batch-sync Bearer psk_work",
  ]);
});

test("without a server there is no account, and nothing is taken", async () => {
  const none = { settings: agreed, key: "" };
  const { account } = destinationOf({ read: async () => none.settings, readWithKey: async () => none });
  expect(await (account as () => Promise<string | null>)()).toBeNull();
});
