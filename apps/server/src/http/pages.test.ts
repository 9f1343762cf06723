import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import { afterEach, expect, test, vi } from "vitest";
import { keylessPages, readyz } from "./pages.js";

afterEach(() => void vi.useRealTimers());

/** A server with `/readyz` over a database that tests break, and a count of its checks. */
async function serve() {
  const world = { checks: 0, failure: undefined as Error | undefined, isDraining: false };
  const page = readyz({
    async ping() {
      world.checks++;
      if (world.failure !== undefined) throw world.failure;
    },
    isDraining: () => world.isDraining,
  });
  const server = express()
    .use(keylessPages(new Map([["/readyz", { route: "/readyz", page }]])))
    .listen(0, "127.0.0.1");
  await once(server, "listening");
  const ask = async () => {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`);
    const body = (await answer.json()) as { message?: string };
    return [answer.status, body.message];
  };
  return Object.assign(world, { ask, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() });
}

test("/readyz checks the database once in two seconds, however often it is asked", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  await using world = await serve();
  await Promise.all([world.ask(), world.ask(), world.ask()]);
  vi.advanceTimersByTime(1_900);
  expect(await world.ask()).toEqual([200, undefined]);
  expect(world.checks).toBe(1);
  world.failure = new Error("gone");
  vi.advanceTimersByTime(200);
  expect(await world.ask()).toEqual([503, "The database does not respond."]);
  expect(await world.ask()).toEqual([503, "The database does not respond."]);
  expect(world.checks).toBe(2);
  world.failure = undefined;
  vi.advanceTimersByTime(2_100);
  expect(await world.ask()).toEqual([200, undefined]);
});

test("/readyz names a known cause", async () => {
  await using world = await serve();
  world.failure = Object.assign(new Error("secret"), { code: "SQLITE_CORRUPT" });
  expect(await world.ask()).toEqual([503, "The database is damaged."]);
});

test("/readyz is 503 once shutting down has begun", async () => {
  await using world = await serve();
  world.isDraining = true;
  expect(await world.ask()).toEqual([503, expect.stringContaining("shutting down")]);
  expect(world.checks).toBe(0);
});
