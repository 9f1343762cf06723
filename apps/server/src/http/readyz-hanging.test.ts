import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import { afterEach, expect, test, vi } from "vitest";
import { rawRequest } from "../../test/raw-request.js";
import { keylessPages, readyz } from "./pages.js";

afterEach(() => void vi.useRealTimers());

test("/readyz never runs a second check beside one that hangs, and answers 503 after 5 seconds", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  const pings: Array<PromiseWithResolvers<void>> = [];
  const ping = () => {
    const hanging = Promise.withResolvers<void>();
    pings.push(hanging);
    return hanging.promise;
  };
  const pages = keylessPages(new Map([["/readyz", { route: "/readyz", page: readyz({ ping, isDraining: () => false }) }]]));
  let asked = 0;
  const app = express().use((_req, _res, next) => {
    asked++;
    next();
  });
  await using server = app.use(pages).listen(0, "127.0.0.1");
  await once(server, "listening");
  const ask = () => rawRequest(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { path: "/readyz" });

  const waiting: Array<ReturnType<typeof ask>> = [];
  const askMore = async () => {
    for (let i = 0; i < 10; i++) waiting.push(ask());
    while (asked < waiting.length) await new Promise((resolve) => setImmediate(resolve));
  };
  await askMore();
  vi.advanceTimersByTime(3_000);
  await askMore();
  vi.advanceTimersByTime(2_000);
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(20).fill(503));
  vi.advanceTimersByTime(60_000);
  expect((await ask()).body.message).toBe("The database does not respond.");
  expect(pings).toHaveLength(1);

  pings[0]?.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  const next = ask();
  while (pings.length < 2) await new Promise((resolve) => setImmediate(resolve));
  pings[1]?.resolve();
  expect((await next).status).toBe(200);
});
