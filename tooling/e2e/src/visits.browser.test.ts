import { waitUntil } from "@periscope/harness/wait-until";
import { expect } from "vitest";
import type { Stage } from "./harness/stage.ts";
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
  })
  /** Does something, and waits until the first context has been viewed later than before. */
  .extend("isViewedBy", ({ since }) => async (act: () => Promise<unknown>) => {
    const before = since()[0]?.viewedAt;
    await act();
    await waitUntil("A later view", () => since()[0]?.viewedAt !== before);
  });

/** Does something with the tab that shows a path. */
async function withTab(stage: Stage, path: string, act: "activate" | "duplicate" | "close"): Promise<void> {
  await stage.panel.evaluate(
    async (url, act) => {
      const tab = (await chrome.tabs.query({ url })).at(-1);
      if (tab?.id === undefined) throw new Error(`No tab shows ${url}.`);
      if (act === "close") await chrome.tabs.remove(tab.id);
      else await (act === "activate" ? chrome.tabs.update(tab.id, { active: true }) : chrome.tabs.duplicate(tab.id));
    },
    `${stage.site.origin}${path}`,
    act,
  );
}

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

test("sandbox: a page in the sandbox of a Content-Security-Policy", async ({ stores, current, visit }) => {
  const page = await visit("/sandbox");
  await stores(pageAt("/sandbox", "sandbox"));
  await current("/sandbox");
  expect(await page.evaluate(() => window.origin)).toBe("null");
});

test("reload: 4 reloads", async ({ stage, stores, isViewedBy, visit }) => {
  const page = await visit("/one");
  await stores(one);
  for (let turn = 0; turn < 4; turn += 1) await isViewedBy(() => page.reload());
  // The same tab tells of its pages in order: when the next page is stored, everything before it was told.
  await page.goto(`${stage.site.origin}/two`);
  await stores(one, two);
});

test("rewritten: an address that its page rewrites", async ({ stage, stores, visit }) => {
  const page = await visit("/one");
  await stores(one);
  await page.evaluate(() => history.replaceState(null, "", "/one?clean"));
  await page.goto(`${stage.site.origin}/two`);
  await stores(one, two);
});

test("duplicate: a tab that is duplicated", async ({ stage, stores, current, isViewedBy, visit, empty }) => {
  await visit("/one");
  await stores(one);
  await isViewedBy(() => withTab(stage, "/one", "duplicate"));
  await empty();
  await stores(one);
  await current("/one");
});

test("hash-routes: #top, then #inbox/a and #inbox/b, each with a text of its own", async ({ stores, current, visit }) => {
  const page = await visit("/mail");
  const contexts = [pageAt("/mail", "Mail", "Inbox")];
  await stores(...contexts);
  await page.evaluate(() => void (location.hash = "#top"));
  for (const name of ["a", "b"]) {
    await page.evaluate((name) => void (location.hash = `#inbox/${name}`), name);
    contexts.push(pageAt(`/mail#inbox/${name}`, "Mail", `Message ${name} with a text of its own`));
    await stores(...contexts);
    await current(`/mail#inbox/${name}`);
  }
});

test("tab-switch: a tab that is opened behind, and switches between both", async ({ stage, since, stores, current, visit }) => {
  const first = await visit("/one");
  await stores(one);
  await current("/one");
  await stage.panel.evaluate(async (url) => void (await chrome.tabs.create({ active: false, url })), `${stage.site.origin}/two`);
  await stores(one, two);
  expect(since().map(({ viewedAt }) => viewedAt !== null)).toEqual([true, false]);
  await current("/one");
  await withTab(stage, "/two", "activate");
  await current("/two");
  await first.bringToFront();
  await current("/one");
  expect(since()).toHaveLength(2);
});

test("time-viewed: a page viewed twice, then in a second tab that is closed", async ({ stage, since, stores, isViewedBy, visit }) => {
  const viewedMs = (at: number) => (JSON.parse(since()[at]?.metadata ?? "{}") as { viewedMs?: number }).viewedMs ?? 0;
  /** Looks at the page in front for a while. */
  const look = async () => {
    const from = Date.now();
    await waitUntil("A look at the page", () => Date.now() >= from + 1_500);
  };
  const startedAt = Date.now();
  const first = await visit("/one");
  await stores(one);
  await look();
  const second = await visit("/two");
  await stores(one, two);
  await waitUntil("The time of the first view", () => viewedMs(0) >= 1_000);
  const before = viewedMs(0);
  await look();
  await first.bringToFront();
  await waitUntil("The time of the page behind", () => viewedMs(1) >= 1_000);
  await look();
  await second.bringToFront();
  await waitUntil("The time of both views", () => viewedMs(0) >= before + 1_000);
  const ofOneTab = viewedMs(0);
  await isViewedBy(() => withTab(stage, "/one", "duplicate"));
  await look();
  await withTab(stage, "/one", "close");
  await waitUntil("The time of the closed tab", () => viewedMs(0) >= ofOneTab + 1_000);
  // No moment is counted for two pages.
  expect(viewedMs(0) + viewedMs(1)).toBeLessThanOrEqual(Date.now() - startedAt);
});

test("bfcache: a page that is left and comes back from the bfcache", async ({ stage, stores, current, visit }) => {
  const page = await visit("/one");
  await stores(one);
  await current("/one");
  await page.evaluate(() => addEventListener("pageshow", ({ persisted }) => (document.body.dataset["back"] = String(persisted))));
  await page.goto(`${stage.site.origin}/two`);
  await stores(one, two);
  await current("/two");
  await page.goBack({ waitUntil: [] });
  await current("/one");
  expect(await page.evaluate(() => document.body.dataset["back"])).toBe("true");
  await stores(one, two);
});

test("prerender: a page that is loaded ahead, and opened later", async ({ stage, since, stores, current, visit, empty }) => {
  const { site } = stage;
  const page = await visit("/links");
  await waitUntil("The load of the page ahead", () => site.requests.some(({ path }) => path === "/ready"));
  // What was recorded of the page ahead, if anything, is stored by then.
  await empty();
  const links = pageAt("/links", "links", `${textOf("links")}\n\n[soon](${site.origin}/soon)`);
  await stores(links);
  await current("/links");
  const openedAt = Date.now();
  await page.locator("a").click();
  await stores(links, pageAt("/soon", "soon"));
  await current("/soon");
  expect(since()[1]?.capturedAt).toBeGreaterThanOrEqual(openedAt);
  // It was loaded once, and ahead.
  expect(site.requests.filter(({ path }) => path === "/soon").map(({ purpose }) => purpose)).toEqual(["prefetch;prerender"]);
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

test("pdf: a PDF, which no content script can read, loaded twice, left and gone back to", async ({
  stage,
  stores,
  current,
  isViewedBy,
  visit,
  empty,
}) => {
  // Until the browser's viewer shows it, the tab is named after the file.
  const pdf = { type: "navigation", path: "/keeper.pdf", title: "The keeper", content: "" };
  const page = await visit("/keeper.pdf");
  await stores(pdf);
  await current("/keeper.pdf");
  await isViewedBy(() => page.reload());
  await empty();
  await stores(pdf);
  await page.goto(`${stage.site.origin}/two`);
  await stores(pdf, two);
  await isViewedBy(() => page.goBack({ waitUntil: [] }));
  await empty();
  await stores(pdf, two);
});
