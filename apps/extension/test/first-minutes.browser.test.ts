import { startPortal } from "@periscope/harness/portal";
import { expect, test } from "vitest";
import { startExtensionBrowser } from "../build/browser.ts";
import { walkFirstMinutes } from "./first-minutes.ts";
import { keeper, startSite } from "./local-site.ts";

test("leads from the printed address to one's own page in at most six clicks", async () => {
  await using portal = await startPortal();
  await using site = await startSite({ "/keeper": keeper });
  await using chromium = await startExtensionBrowser();
  const reading = { url: `${site.url}/keeper`, title: "The keeper of the lighthouse" };
  expect(await walkFirstMinutes({ portal, chromium, reading })).toBeLessThanOrEqual(6);
});
