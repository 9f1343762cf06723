import { expect } from "vitest";
import { test as plain } from "./harness/sync-test.ts";
import { textOf } from "./pages/visit-pages.ts";

// What happens to pages in a browser: each visit is one context with the text of its page, and `current` is the page in front.

/** Waits until what is asked for is what is wanted. The bound guards against a hang, and no more; to ask more often would take the server's time. */
async function becomes(probe: () => unknown, wanted: unknown): Promise<void> {
  await expect.poll(probe, { timeout: 100_000, interval: 200 }).toEqual(wanted);
}

/** What a row compares of a context. */
interface Visited {
  type: string;
  path: string;
  title: string;
  content: string;
}

const pageAt = (path: string, title: string, content = textOf(title)): Visited => ({ type: "page", path, title, content });

const one = pageAt("/one", "one");
const two = pageAt("/two", "two");

const test = plain
  /** Waits until these contexts are stored, in this order, and no others. */
  .extend("stores", ({ stage, since }) => {
    const pathOf = (url: string) => url.slice(stage.site.origin.length);
    const seen = () => since().map(({ type, url, title, content }) => ({ type, path: pathOf(url), title, content }));
    return async (...contexts: Visited[]) => await becomes(seen, contexts);
  })
  /** Waits until the server answers the context at this path as the current one. */
  .extend("current", ({ stage, since }) => async (path: string) => {
    const urlNow = async () => {
      const { contextId, url } = (await stage.server.client.current()) ?? {};
      // A context of an earlier row may have the same address.
      return since().some((context) => context.contextId === contextId) ? url : undefined;
    };
    await becomes(urlNow, `${stage.site.origin}${path}`);
  });

test("late-load: a picture that never comes, a page never sent whole", async ({ stores, current, visit }) => {
  const hanging = await visit("/hanging", { waitUntil: [] });
  await stores(pageAt("/hanging", "hanging"));
  await current("/hanging");
  expect(await hanging.evaluate(() => document.readyState)).toBe("interactive");
  const streamed = await visit("/streamed", { waitUntil: [] });
  await stores(pageAt("/hanging", "hanging"), pageAt("/streamed", "streamed"));
  await current("/streamed");
  expect(await streamed.evaluate(() => document.readyState)).toBe("loading");
});

test("late-text: title and text that come after the page is stored", async ({ since, stores, current, visit }) => {
  const page = await visit("/skeleton");
  await stores(pageAt("/skeleton", "Loading", "Loading…"));
  const [skeleton] = since();
  await page.evaluate((text) => {
    document.title = "late";
    document.querySelector("#text")?.replaceChildren(text);
  }, textOf("late"));
  await stores(pageAt("/skeleton", "late"));
  expect(since()[0]?.contextId).toBe(skeleton?.contextId);
  await current("/skeleton");
});

test("tab-switch: an address that its page rewrites, a tab that is opened behind, and switches between both", async ({ stage, since, stores, current, visit }) => {
  const first = await visit("/one");
  await stores(one);
  await current("/one");
  await first.evaluate(() => history.replaceState(null, "", "/one?clean"));
  await stage.panel.evaluate(async (url) => void (await chrome.tabs.create({ active: false, url })), `${stage.site.origin}/two`);
  await stores(one, two);
  expect(since().map(({ viewedAt }) => viewedAt !== null)).toEqual([true, false]);
  await current("/one");
  await stage.panel.evaluate(async (url) => {
    const [tab] = await chrome.tabs.query({ url });
    if (tab?.id !== undefined) await chrome.tabs.update(tab.id, { active: true });
  }, `${stage.site.origin}/two`);
  await current("/two");
  const { viewedMs } = JSON.parse(since()[0]?.metadata ?? "{}") as { viewedMs?: number };
  expect(viewedMs).toBeGreaterThan(0);
  await first.bringToFront();
  await current("/one");
  expect(since()).toHaveLength(2);
});

test("bfcache: a page that is loaded again, is left, and comes back from the bfcache", async ({ stage, stores, current, visit }) => {
  const page = await visit("/one");
  await stores(one);
  await current("/one");
  await page.reload();
  await page.evaluate(() => addEventListener("pageshow", ({ persisted }) => (document.body.dataset["back"] = String(persisted))));
  await page.goto(`${stage.site.origin}/two`);
  await stores(one, two);
  await current("/two");
  await page.goBack({ waitUntil: [] });
  await current("/one");
  expect(await page.evaluate(() => document.body.dataset["back"])).toBe("true");
  await stores(one, two);
});

test("update: the extension loaded anew, and its script put into a page again", async ({ stage, since, stores, current, visit, empty }) => {
  const page = await visit("/one");
  await stores(one);
  await page.evaluate((text) => {
    history.pushState(null, "", "/two");
    document.title = "two";
    document.querySelector("#text")?.replaceChildren(text);
  }, textOf("two"));
  const contexts = [one, two];
  await stores(...contexts);
  const before = since();
  await empty();
  stage.panel = await stage.browser.reload(stage.panel, "panel.html");
  // Firefox does this by itself. In Chromium an extension does it when its user asks for the page.
  const putScript = async (url: string) => {
    const [tab] = await chrome.tabs.query({ url });
    await chrome.scripting.executeScript({ target: { tabId: tab?.id ?? 0 }, files: ["content.js"] });
  };
  await stage.panel.evaluate(putScript, page.url());
  await page.bringToFront();
  await page.evaluate(() => document.querySelector("#text")?.append(", and what came after the update of the extension"));
  contexts[1] = pageAt("/two", "two", `${textOf("two")}, and what came after the update of the extension`);
  await stores(...contexts);
  await current("/two");
  expect(since().map(({ contextId }) => contextId)).toEqual(before.map(({ contextId }) => contextId));
});
