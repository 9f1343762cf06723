import { controls, tabOrder } from "@periscope/harness/accessibility";
import { addPerson, createOwner, startPortal } from "@periscope/harness/portal";
import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { sendPages } from "./contexts.ts";
import { expectSoundPages } from "./drawn-pages.ts";
import { test } from "./portal-test.ts";

async function expectTabToReachAll(page: Page, path: string): Promise<void> {
  expect.soft({ path, reached: (await tabOrder(page)).toSorted() }).toEqual({ path, reached: (await controls(page)).toSorted() });
}

// It opens 23 pages, which is longer than the preset has where the machine is slow.
test("every page fits, is accessible and works by Tab, without a context and with one", { timeout: 600_000 }, async ({ chromium }) => {
  await using portal = await startPortal({ environment: { SIGN_UP: "invite", RATE_LIMIT_ANONYMOUS: "1000000000" } });
  const cookie = await createOwner(portal);
  const page = await chromium.open(`${portal.origin}/sign-in`, { cookie });
  await expectSoundPages(page, portal.origin, {
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
  await sendPages(portal, [{ id: "keeper", title: "The keeper of the lighthouse" }]);
  await addPerson(portal, cookie);
  const paths = {
    "/keys": "Used",
    "/": "The keeper of the lighthouse",
    "/explore": "1 context",
    "/explore?query=lighthouse": "The keeper of the lighthouse",
    "/contexts/keeper": "The keeper lights the lamp at dusk.",
    "/devices": "No device is paired",
    "/usage": "1 on the busiest day",
    "/privacy": "Everything is kept until you delete it.",
    "/data": "35 bytes",
    "/people": "1 context",
    "/system": "contexts and updates since the start",
    "/account": "This one",
  };
  await expectSoundPages(page, portal.origin, paths, (path) => expectTabToReachAll(page, path));
});
