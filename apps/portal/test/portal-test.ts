import { addPerson, createOwner, startBrowser, startPortal } from "@periscope/harness/portal";
import { test as plain } from "vitest";

// Vitest reads what a fixture needs from its first parameter, also when that is nothing.
/* oxlint-disable no-empty-pattern */

/**
 * `test` with a browser, and with the portal of a person whom no other test knows. Browser and server are those of the worker: to start
 * them takes longer than most tests. What concerns a whole server starts one of its own.
 */
export const test = plain
  .extend("browserOfWorker", { scope: "worker" }, async ({}, { onCleanup }) => {
    const chromium = await startBrowser();
    onCleanup(() => chromium[Symbol.asyncDispose]());
    return chromium;
  })
  .extend("server", { scope: "worker" }, async ({}, { onCleanup }) => {
    const server = await startPortal({ environment: { SIGN_UP: "invite", RATE_LIMIT_ANONYMOUS: "1000000000" } });
    onCleanup(() => server[Symbol.asyncDispose]());
    return { ...server, cookie: await createOwner(server) };
  })
  .extend("chromium", async ({ browserOfWorker }, { onCleanup }) => {
    onCleanup(() => browserOfWorker.closePages());
    return browserOfWorker;
  })
  .extend("portal", async ({ server }) => await addPerson(server, server.cookie));
