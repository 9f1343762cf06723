import { createOwner, startPortal } from "@periscope/harness/portal";
import { sendPages } from "./contexts.ts";
import { expectSoundPages } from "./drawn-pages.ts";
import { test as portalTest } from "./portal-test.ts";

// Vitest reads what a fixture needs from its first parameter, also when that is nothing.
/* oxlint-disable no-empty-pattern */

/** An owner who has just made their account. */
const test = portalTest.extend("fresh", { scope: "file" }, async ({}, { onCleanup }) => {
  const server = await startPortal({ environment: { SIGN_UP: "invite", RATE_LIMIT_ANONYMOUS: "1000000000" } });
  onCleanup(() => server[Symbol.asyncDispose]());
  return { ...server, cookie: await createOwner(server) };
});

test("every page without any context, and then with the first one, is sound on wide and narrow screens", async ({ fresh, chromium }) => {
  const page = await chromium.open(`${fresh.origin}/sign-in`, { cookie: fresh.cookie });
  await expectSoundPages(page, fresh.origin, {
    "/": "Nothing has arrived yet",
    "/explore": "Nothing is stored yet",
    "/explore?query=lighthouse": "Nothing matches",
    "/keys": "Never used",
    "/devices": "No device is paired",
    "/usage": "No requests in this time",
    "/privacy": "Everything is kept until you delete it.",
    "/data": "0 bytes",
    "/people": "nothing stored",
    "/system": "contexts and updates since the start",
    "/account": "This one",
  });
  await sendPages(fresh, [{ id: "keeper", title: "The keeper of the lighthouse" }]);
  await expectSoundPages(page, fresh.origin, {
    "/": "The keeper of the lighthouse",
    "/explore": "1 context",
    "/explore?query=lighthouse": "The keeper of the lighthouse",
    "/contexts/keeper": "The keeper lights the lamp at dusk.",
    "/keys": "just now",
    "/devices": "No device is paired",
    "/usage": "1 on the busiest day",
    "/privacy": "Everything is kept until you delete it.",
    "/data": "35 bytes",
    "/people": "1 context",
    "/system": "contexts and updates since the start",
    "/account": "This one",
  });
});
