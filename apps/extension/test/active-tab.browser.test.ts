import { hangMs } from "@periscope/harness/chromium";
import { startServer } from "@periscope/harness/server";
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { startChromium } from "../build/chromium.ts";
import { choose, shown, watchButton } from "./asked.ts";
import { connect } from "./connected.ts";
import { keeper, startSite } from "./local-site.ts";

// What an outcome is shown for takes seconds.
const patience = { timeout: hangMs };

const select = (page: Page, selector: string) => page.$eval(selector, (element) => globalThis.getSelection()?.selectAllChildren(element));

test("records only a requested selection on a site without access", async () => {
  await using server = await startServer();
  await using site = await startSite({ "/keeper": keeper, "/more": keeper });
  // The server alone.
  await using chromium = await startChromium({ granted: ["http://127.0.0.1/*"] });
  await connect(chromium, server);
  const history = async () => {
    const response = await fetch(`${server.baseUrl}/context/history`, { headers: { Authorization: `Bearer ${server.key}` } });
    return ((await response.json()) as { contexts: { type: string; url: string }[] }).contexts.map(({ type, url }) => `${type} ${url}`);
  };
  const page = await chromium.newPage();
  await page.goto(`${site.url}/keeper`);
  await select(page, "h1");

  // Nobody asked the browser for anything: the extension cannot get into the page.
  await watchButton(chromium);
  await choose(chromium, "command");
  await expect.poll(() => shown(chromium, "text"), patience).toEqual(["–", ""]);

  await chromium.pressButton(page);
  await choose(chromium, "command");
  await expect.poll(() => shown(chromium, "text"), patience).toEqual(["–", "", "✓", ""]);
  await select(page, "p");
  await choose(chromium, { menuItemId: "selection" });
  await expect.poll(() => shown(chromium, "text"), patience).toEqual(["–", "", "✓", "", "✓", ""]);
  await expect.poll(history, patience).toEqual([`selection ${site.url}/keeper`, `selection ${site.url}/keeper`]);
});
