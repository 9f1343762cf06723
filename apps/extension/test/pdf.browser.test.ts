import { Periscope } from "@periscope/client";
import { createPdf } from "@periscope/harness/pdf";
import { startServer } from "@periscope/harness/server";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import { expect, test } from "vitest";
import { startExtensionBrowser } from "../build/browser.ts";
import { initialSettings, type Settings } from "../src/settings/settings.js";
import { startSite } from "./local-site.ts";

const patience = { timeout: 60_000 };

test("records a PDF's visit, and its filtered text once that is on", async () => {
  await using data = await temporaryDirectory("periscope-pdf-");
  await using server = await startServer({ dataDir: data.path });
  const pdf = createPdf("The keeper of the lighthouse", "At dusk she lights the lamp.", "Paid with card 4111 1111 1111 1111 in spring.");
  await using site = await startSite({ "/first.pdf": pdf, "/keeper.pdf": pdf });
  await using chromium = await startExtensionBrowser();
  const settings: Settings = { ...initialSettings, consent: { version: 1, at: 1 }, server: server.baseUrl, account: "ada" };
  const welcome = await (await chromium.browser.waitForTarget((target) => target.url().endsWith("welcome.html"))).asPage();
  await welcome.evaluate(async (items) => await chrome.storage.local.set(items), { settings, key: server.key });
  const client = new Periscope({ baseUrl: server.baseUrl, apiKey: server.key });
  const stored = async () => {
    const found = [];
    for await (const { contextId, type, url, title } of client.history()) {
      const { content, metadata } = await client.get(contextId);
      found.unshift({ type, path: new URL(url).pathname, title, content, ...metadata });
    }
    return found;
  };
  const page = await chromium.browser.newPage();
  await page.goto(`${site.url}/first.pdf`);
  const first = { type: "navigation", path: "/first.pdf", content: "" };
  await expect.poll(stored, patience).toEqual([expect.objectContaining(first)]);

  const options = await chromium.open("options.html");
  await options.waitForSelector("[data-ready]");
  await options.click("#reads-pdfs");
  await page.bringToFront();
  await page.goto(`${site.url}/keeper.pdf`);
  const read = {
    type: "page",
    path: "/keeper.pdf",
    title: "The keeper of the lighthouse",
    content: "At dusk she lights the lamp.\nPaid with card [REDACTED:card] in spring.",
    pages: 1,
    byline: "Ada",
  };
  await expect.poll(stored, patience).toEqual([expect.objectContaining(first), expect.objectContaining(read)]);
  await page.reload();
  await page.goto(`${site.url}/first.pdf`);
  await expect.poll(stored, patience).toEqual([first, read, { ...read, path: "/first.pdf" }].map((each) => expect.objectContaining(each)));
});
