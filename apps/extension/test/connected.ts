import { type RunningServer, startServer } from "@periscope/harness/server";
import { waitUntil } from "@periscope/harness/wait-until";
import { type Chromium, startChromium } from "../build/chromium.ts";
import { initialSettings, type Settings } from "../src/settings/settings.js";
import { startSite } from "./local-site.ts";

/** Saves server, key and consent without the pages that a person uses for it. */
export async function connect({ openedPage, worker }: Chromium, { baseUrl, key }: Pick<RunningServer, "baseUrl" | "key">): Promise<void> {
  const settings: Settings = { ...initialSettings, consent: { version: 1, at: 1 }, account: "ada", server: baseUrl };
  const welcome = await openedPage("/welcome.html");
  await welcome.evaluate(async (items) => await chrome.storage.local.set(items), { settings, key });
  await waitUntil("A script for pages", async () => (await registeredScripts({ worker })).length === 1);
}

/** The scripts that the browser puts into pages. */
export const registeredScripts = async ({ worker }: Pick<Chromium, "worker">) =>
  await (await worker()).evaluate(async () => await chrome.scripting.getRegisteredContentScripts());

/** A server, a site, and a browser whose extension is not connected yet. */
export async function startStage(...[pages, options]: Parameters<typeof startSite>) {
  await using started = new AsyncDisposableStack();
  const server = started.use(await startServer());
  const site = started.use(await startSite(pages, options));
  const chromium = started.use(await startChromium());
  const held = started.move();
  return { server, site, chromium, [Symbol.asyncDispose]: async () => await held.disposeAsync() };
}

export type Stage = Awaited<ReturnType<typeof startStage>>;
