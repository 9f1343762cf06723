import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect, test } from "vitest";
import { defaultBounds, RequestLoad } from "./bounds.js";

test("counts a request whose client is gone for as long as it is worked on", async () => {
  const load = new RequestLoad({ ...defaultBounds(), userRequests: 1 });
  const work = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const app = express().use(
    load.track(async (_req, res) => {
      load.enter(res, "someone");
      res.once("close", left.resolve);
      arrived.resolve();
      await work.promise;
      res.end();
    }),
  );
  await using server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const ask = (signal?: AbortSignal) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, signal && { signal });
  const controller = new AbortController();
  const aborted = ask(controller.signal).catch(() => {});
  await arrived.promise;
  controller.abort();
  await Promise.all([aborted, left.promise]);
  expect((await ask()).status).toBe(500);
  work.resolve();
  await expect.poll(async () => (await ask()).status).toBe(200);
});

test.each([512, 4_096])("leaves room for a body of each of two users at a heap of %d MiB", (mebibytes) => {
  const { bytes, userBytes, connections, addressConnections } = defaultBounds(mebibytes * 1_048_576);
  expect(userBytes).toBeGreaterThanOrEqual(2 * 16_777_216);
  expect(bytes).toBeGreaterThanOrEqual(2 * userBytes);
  expect(connections).toBeGreaterThan(addressConnections);
});
