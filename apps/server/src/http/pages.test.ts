import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express, { type Request } from "express";
import { afterEach, expect, test, vi } from "vitest";
import { rawRequest } from "../../test/raw-request.js";
import type { HttpOptions } from "../deps.js";
import { keylessPages, metricsReader, readyz } from "./pages.js";

afterEach(() => void vi.useRealTimers());

/** A server with `/readyz` over a database that tests break, and counts of requests and checks. */
async function serve() {
  const world = { asked: 0, checks: 0, ping: async () => {}, isDraining: false };
  const page = readyz({ ping: () => (world.checks++, world.ping()), isDraining: () => world.isDraining });
  const server = express()
    .use((_req, _res, next) => (world.asked++, next()))
    .use(keylessPages(new Map([["/readyz", { route: "/readyz", page }]])))
    .listen(0, "127.0.0.1");
  await once(server, "listening");
  const ask = async () => {
    const { status, body } = await rawRequest(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { path: "/readyz" });
    return [status, body.message];
  };
  return Object.assign(world, { ask, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() });
}

const down = [503, "The database does not respond."];
const soon = () => new Promise((resolve) => setImmediate(resolve));

test("/readyz checks the database once in two seconds, and names a known cause", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  await using world = await serve();
  await Promise.all([world.ask(), world.ask(), world.ask()]);
  vi.advanceTimersByTime(1_900);
  expect(await world.ask()).toEqual([200, undefined]);
  expect(world.checks).toBe(1);
  world.ping = () => Promise.reject(new Error("secret"));
  vi.advanceTimersByTime(200);
  expect([await world.ask(), await world.ask(), world.checks]).toEqual([down, down, 2]);
  world.ping = () => Promise.reject(Object.assign(new Error("secret"), { code: "SQLITE_CORRUPT" }));
  vi.advanceTimersByTime(2_100);
  expect(await world.ask()).toEqual([503, "The database is damaged."]);
  world.ping = async () => {};
  vi.advanceTimersByTime(2_100);
  expect(await world.ask()).toEqual([200, undefined]);
  world.isDraining = true;
  expect(await world.ask()).toEqual([503, expect.stringContaining("shutting down")]);
});

test("/readyz answers 503 after 5 seconds of a check, and runs no second one beside it", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  await using world = await serve();
  const { promise, resolve } = Promise.withResolvers<void>();
  world.ping = () => promise;
  const waiting: Array<ReturnType<typeof world.ask>> = [];
  for (const ms of [3_000, 2_000]) {
    for (let count = 0; count < 10; count++) waiting.push(world.ask());
    while (world.asked < waiting.length) await soon();
    vi.advanceTimersByTime(ms);
  }
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => down));
  vi.advanceTimersByTime(60_000);
  expect([await world.ask(), world.checks]).toEqual([down, 1]);
  resolve();
  await soon();
  expect([await world.ask(), world.checks]).toEqual([[200, undefined], 2]);
});

test("metrics are for connections of this machine alone, also where they name it", () => {
  const mayRead = metricsReader({ metricsReaders: "local" } as HttpOptions);
  const from = (remoteAddress: string) => mayRead({ socket: { remoteAddress }, headers: { host: "localhost:3000" } } as Request);
  for (const address of ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"]) expect([address, from(address)]).toEqual([address, true]);
  for (const address of ["192.0.2.7", "10.0.0.1", "0.0.0.0", "::ffff:192.0.2.7", "fe80::1", "2001:db8::7"])
    expect([address, from(address)]).toEqual([address, false]);
});
