import { hangMs } from "@periscope/harness/chromium";
import { startServer } from "@periscope/harness/server";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { startChromium } from "../build/chromium.ts";
import { initialSettings, type Settings } from "../src/settings/settings.js";
import { connect } from "./connected.ts";
import { has } from "./extension-page.ts";
import { keeper, startSite } from "./local-site.ts";

const patience = { timeout: hangMs };

/** Types address and key into the options and saves; resolves to what is said. */
async function save(options: Page, address: string, key: string): Promise<string> {
  await options.bringToFront();
  await options.$eval("#address", (input, address) => ((input as HTMLInputElement).value = address), address);
  await options.$eval("#own-key", (details) => ((details as HTMLDetailsElement).open = true));
  await options.$eval("#key", (input) => ((input as HTMLInputElement).value = ""));
  if (key !== "") await options.type("#key", key);
  await options.$eval("#connection", (said) => (said.textContent = ""));
  await options.locator("#save").click();
  await options.waitForFunction(() => !/^$|^Connecting/.test(document.getElementById("connection")?.textContent ?? ""));
  return await options.$eval("#connection", (said) => said.textContent ?? "");
}

/** The state of the queue, as the worker tells it to pages of the extension. */
const status = async (options: Page) =>
  await options.evaluate(
    async () =>
      (
        await chrome.runtime.sendMessage<object, { value: Record<string, unknown> }>({
          periscope: 1,
          kind: "call",
          method: "status",
          args: [],
        })
      ).value,
  );

/** Whether a message with the text of a page at such an address is on the disk, of whichever account. */
const onDisk = async (options: Page, path: string) =>
  await options.evaluate(async (path) => {
    const request = indexedDB.open("periscope-sync");
    await new Promise((resolve) => request.addEventListener("success", resolve));
    const all = request.result.transaction("bodies").objectStore("bodies").getAll();
    await new Promise((resolve) => all.addEventListener("success", resolve));
    request.result.close();
    return (all.result as string[]).some((body) => body.includes(path) && body.includes("the ferries find home"));
  }, path);

async function urlsAt(server: { baseUrl: string; key: string }): Promise<string[]> {
  const response = await fetch(`${server.baseUrl}/context/history?limit=100`, { headers: { Authorization: `Bearer ${server.key}` } });
  return ((await response.json()) as { contexts: { url: string }[] }).contexts.map(({ url }) => new URL(url).pathname);
}

test("deletes waiting messages when the server is changed", async () => {
  await using oldData = await temporaryDirectory("periscope-old-");
  await using newData = await temporaryDirectory("periscope-new-");
  await using old = await startServer({ dataDir: oldData.path });
  await using newServer = await startServer({ dataDir: newData.path });
  // The old key must be wrong here.
  const other = { baseUrl: newServer.baseUrl, key: (await newServer.createUser("grace")).key };
  await using site = await startSite({ "/first": keeper, "/waits": keeper, "/waits-too": keeper, "/after": keeper });
  await using chromium = await startChromium();
  const settings: Settings = { ...initialSettings, consent: { version: 1, at: 1 } };
  const welcome = await chromium.openedPage("/welcome.html");
  await welcome.evaluate(async (settings) => await chrome.storage.local.set({ settings }), settings);
  const options = await chromium.open("options.html");
  await options.waitForSelector("[data-ready]");

  expect(await save(options, old.baseUrl, old.key)).toContain("Connected");
  const page = await chromium.newPage();
  await page.goto(`${site.url}/first`);
  await expect.poll(() => urlsAt(old), patience).toContain("/first");
  await expect.poll(async () => (await status(options))["waiting"], patience).toBe(0);

  await old[Symbol.asyncDispose]();
  for (const path of ["/waits", "/waits-too"]) {
    await page.bringToFront();
    await page.goto(site.url + path);
    await expect.poll(() => onDisk(options, path), patience).toBe(true);
  }
  await expect.poll(async () => (await status(options))["reason"], patience).toBe("backing-off");
  const said = await save(options, other.baseUrl, other.key);
  expect(said).toMatch(/^Pages that waited .* were deleted\. Connected/);
  expect(await onDisk(options, "")).toBe(false);
  // The look that a new connection begins with is still under way.
  const nothing = { waiting: 0, bytes: 0, deadLetters: 0, reason: "idle", lastError: null, dropped: {} };
  await expect.poll(() => status(options), patience).toMatchObject(nothing);

  // A page that is still open is looked at for a while longer: the new server hears nothing of it.
  await page.bringToFront();
  const from = await page.evaluate(() => performance.now());
  await page.waitForFunction((from) => performance.now() >= from + 1_500, {}, from);
  await page.goto(`${site.url}/after`);
  await expect.poll(() => urlsAt(other), patience).toEqual(["/after"]);
  await expect.poll(async () => (await status(options))["waiting"], patience).toBe(0);
  expect(await status(options)).toMatchObject({ deadLetters: 0, dropped: {} });
});

test("an address that was typed stays while other settings change", async () => {
  await using chromium = await startChromium();
  await connect(chromium, { baseUrl: "http://127.0.0.1:9/api/v1", key: "psk_first" });
  const options = await chromium.open("options.html");
  await options.waitForSelector("[data-ready]");
  const address = () => options.$eval("#address", (input) => (input as HTMLInputElement).value);
  expect(await address()).toBe("http://127.0.0.1:9");
  await options.locator("#address").fill("https://other.example");
  await options.focus("#save");
  await options.evaluate(async () => await chrome.storage.local.set({ key: "psk_second" }));
  await has(options, "key-state", "cond");
  expect(await address()).toBe("https://other.example");

  // What stands there as it was shown follows the settings.
  await options.locator("#address").fill("http://127.0.0.1:9/");
  await options.focus("#save");
  await options.evaluate(async () => await chrome.storage.local.set({ key: "psk_third" }));
  await has(options, "key-state", "hird");
  await options.evaluate(async () => {
    const { settings } = await chrome.storage.local.get<{ settings: object }>("settings");
    await chrome.storage.local.set({ settings: { ...settings, server: "http://127.0.0.1:10/api/v1" }, key: "psk_fourth" });
  });
  await has(options, "key-state", "urth");
  expect(await address()).toBe("http://127.0.0.1:10");
});
