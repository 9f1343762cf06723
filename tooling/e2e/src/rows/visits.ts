import { expect } from "vitest";
import type { StoredContext } from "../harness/oracle.ts";
import type { SyncStage } from "../harness/stage.ts";
import { waitUntil } from "@periscope/harness/wait-until";
import { textOf } from "../pages/visit-pages.ts";
import { contextsSince, type ExtensionRow, stored } from "./row.ts";

/** Guards against a hang, and no more. The server allows ten reads a second, and is asked five times. */
const patience = { timeout: 100_000, interval: 200 };

/** What a row compares of a context. */
interface Visited {
  type: string;
  path: string;
  title: string;
  content: string;
}

const pageAt = (path: string, title: string, content = textOf(title)): Visited => ({ type: "page", path, title, content });

/** What a row watches while it plays. */
interface Watch {
  since(): StoredContext[];
  /** Waits until these contexts are stored, in this order, and no others. */
  stores(...contexts: Visited[]): Promise<void>;
  /** Waits until the server answers the context at this path as the current one. */
  current(path: string): Promise<void>;
  /** Does something, and waits until the first context has been viewed later than before. */
  isViewedBy(act: () => Promise<unknown>): Promise<void>;
}

function watch(stage: SyncStage): Watch {
  const since = contextsSince(stage);
  const { origin } = stage.site;
  const seen = () => since().map(({ type, url, title, content }) => ({ type, path: url.slice(origin.length), title, content }));
  const firstView = () => since()[0]?.viewedAt;
  return {
    since,
    stores: (...contexts) => expect.poll(seen, patience).toEqual(contexts),
    current(path) {
      // A context of an earlier row may have the same address.
      const isOwn = (id: string | undefined) => since().some(({ contextId }) => contextId === id);
      const pathNow = async () => {
        const { contextId, url } = (await stage.current()) ?? {};
        return isOwn(contextId) ? url?.slice(origin.length) : undefined;
      };
      return expect.poll(pathNow, patience).toBe(path);
    },
    async isViewedBy(act) {
      const before = firstView();
      await act();
      await waitUntil("A later view", () => firstView() !== before);
    },
  };
}

/** Does something with the tab that shows a path. */
async function withTab(stage: SyncStage, path: string, act: "activate" | "duplicate" | "close"): Promise<void> {
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

/** What happens to pages in a browser: each visit is one context with the text of its page, and `current` is the page in front. */
export const visitRows: ExtensionRow[] = [
  {
    fault: "late-load",
    injected: "a picture that never comes, a page never sent whole",
    async run(stage) {
      const { since, stores, current } = watch(stage);
      const { origin } = stage.site;
      const hanging = await stage.browser.visit(`${origin}/hanging`, { waitUntil: [] });
      await stores(pageAt("/hanging", "hanging"));
      await current("/hanging");
      expect(await hanging.evaluate(() => document.readyState)).toBe("interactive");
      const streamed = await stage.browser.visit(`${origin}/streamed`, { waitUntil: [] });
      await stores(pageAt("/hanging", "hanging"), pageAt("/streamed", "streamed"));
      await current("/streamed");
      expect(await streamed.evaluate(() => document.readyState)).toBe("loading");
      return stored(since().length);
    },
  },
  {
    fault: "late-text",
    injected: "title and text that come after the page is stored",
    async run(stage) {
      const { since, stores, current } = watch(stage);
      const page = await stage.browser.visit(`${stage.site.origin}/skeleton`);
      await stores(pageAt("/skeleton", "Loading", "Loading…"));
      const [skeleton] = since();
      await page.evaluate((text) => {
        document.title = "late";
        document.querySelector("#text")?.replaceChildren(text);
      }, textOf("late"));
      await stores(pageAt("/skeleton", "late"));
      expect(since()[0]?.contextId).toBe(skeleton?.contextId);
      await current("/skeleton");
      return stored(since().length);
    },
  },
  {
    fault: "sandbox",
    injected: "a page in the sandbox of a Content-Security-Policy",
    async run(stage) {
      const { since, stores, current } = watch(stage);
      const page = await stage.browser.visit(`${stage.site.origin}/sandbox`);
      await stores(pageAt("/sandbox", "sandbox"));
      await current("/sandbox");
      expect(await page.evaluate(() => window.origin)).toBe("null");
      return stored(since().length);
    },
  },
  {
    fault: "reload",
    injected: "4 reloads, then an address that the page rewrites",
    async run(stage) {
      const { since, stores, isViewedBy } = watch(stage);
      const page = await stage.browser.visit(`${stage.site.origin}/one`);
      await stores(pageAt("/one", "one"));
      for (let turn = 0; turn < 4; turn += 1) await isViewedBy(() => page.reload());
      await page.evaluate(() => history.replaceState(null, "", "/one?clean"));
      // The same tab tells of its pages in order: when the next page is stored, everything before it was told.
      await page.goto(`${stage.site.origin}/two`);
      await stores(pageAt("/one", "one"), pageAt("/two", "two"));
      return stored(since().length);
    },
  },
  {
    fault: "duplicate",
    injected: "a tab that is duplicated",
    async run(stage) {
      const { since, stores, current, isViewedBy } = watch(stage);
      await stage.browser.visit(`${stage.site.origin}/one`);
      await stores(pageAt("/one", "one"));
      await isViewedBy(() => withTab(stage, "/one", "duplicate"));
      await stage.empty();
      await stores(pageAt("/one", "one"));
      await current("/one");
      return stored(since().length);
    },
  },
  {
    fault: "hash-routes",
    injected: "#top, then #inbox/a and #inbox/b, each with a text of its own",
    async run(stage) {
      const { since, stores, current } = watch(stage);
      const page = await stage.browser.visit(`${stage.site.origin}/mail`);
      const contexts = [pageAt("/mail", "Mail", "Inbox")];
      await stores(...contexts);
      await page.evaluate(() => void (location.hash = "#top"));
      for (const name of ["a", "b"]) {
        await page.evaluate((name) => void (location.hash = `#inbox/${name}`), name);
        contexts.push(pageAt(`/mail#inbox/${name}`, "Mail", `Message ${name} with a text of its own`));
        await stores(...contexts);
        await current(`/mail#inbox/${name}`);
      }
      return stored(since().length);
    },
  },
  {
    fault: "tab-switch",
    injected: "a tab that is opened behind, and switches between both",
    async run(stage) {
      const { since, stores, current } = watch(stage);
      const first = await stage.browser.visit(`${stage.site.origin}/one`);
      await stores(pageAt("/one", "one"));
      await current("/one");
      await stage.panel.evaluate(async (url) => void (await chrome.tabs.create({ active: false, url })), `${stage.site.origin}/two`);
      await stores(pageAt("/one", "one"), pageAt("/two", "two"));
      expect(since().map(({ viewedAt }) => viewedAt !== null)).toEqual([true, false]);
      await current("/one");
      await withTab(stage, "/two", "activate");
      await current("/two");
      await first.bringToFront();
      await current("/one");
      expect(since()).toHaveLength(2);
      return stored(since().length);
    },
  },
  {
    fault: "time-viewed",
    injected: "a page viewed twice, then in a second tab that is closed",
    async run(stage) {
      const { since, stores, isViewedBy } = watch(stage);
      const viewedMs = (at: number) => (JSON.parse(since()[at]?.metadata ?? "{}") as { viewedMs?: number }).viewedMs ?? 0;
      /** Looks at the page in front for a while. */
      const look = async () => {
        const from = Date.now();
        await waitUntil("A look at the page", () => Date.now() >= from + 1_500);
      };
      const startedAt = Date.now();
      const first = await stage.browser.visit(`${stage.site.origin}/one`);
      await stores(pageAt("/one", "one"));
      await look();
      const second = await stage.browser.visit(`${stage.site.origin}/two`);
      await stores(pageAt("/one", "one"), pageAt("/two", "two"));
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
      return stored(since().length);
    },
  },
  {
    fault: "bfcache",
    injected: "a page that is left and comes back from the bfcache",
    async run(stage) {
      const { since, stores, current } = watch(stage);
      const page = await stage.browser.visit(`${stage.site.origin}/one`);
      await current("/one");
      await page.evaluate(() => addEventListener("pageshow", ({ persisted }) => (document.body.dataset["back"] = String(persisted))));
      await page.goto(`${stage.site.origin}/two`);
      await stores(pageAt("/one", "one"), pageAt("/two", "two"));
      await current("/two");
      await page.goBack({ waitUntil: [] });
      await current("/one");
      expect(await page.evaluate(() => document.body.dataset["back"])).toBe("true");
      await stores(pageAt("/one", "one"), pageAt("/two", "two"));
      return stored(since().length);
    },
  },
  {
    fault: "prerender",
    injected: "a page that is loaded ahead, and opened later",
    async run(stage) {
      const { site } = stage;
      const { since, stores, current } = watch(stage);
      const page = await stage.browser.visit(`${site.origin}/links`);
      await waitUntil("The load of the page ahead", () => site.requests.some(({ path }) => path === "/ready"));
      // What was recorded of the page ahead, if anything, is stored by then.
      await stage.empty();
      const links = pageAt("/links", "links", `${textOf("links")}\n\n[soon](${site.origin}/soon)`);
      await stores(links);
      await current("/links");
      const openedAt = Date.now();
      await page.click("a");
      await stores(links, pageAt("/soon", "soon"));
      await current("/soon");
      expect(since()[1]?.capturedAt).toBeGreaterThanOrEqual(openedAt);
      // It was loaded once, and ahead.
      expect(site.requests.filter(({ path }) => path === "/soon").map(({ purpose }) => purpose)).toEqual(["prefetch;prerender"]);
      return stored(since().length);
    },
  },
  {
    fault: "update",
    injected: "the extension loaded anew, and its script put into a page again",
    async run(stage) {
      const { since, stores, current } = watch(stage);
      const page = await stage.browser.visit(`${stage.site.origin}/one`);
      await stores(pageAt("/one", "one"));
      await page.evaluate((text) => {
        history.pushState(null, "", "/two");
        document.title = "two";
        document.querySelector("#text")?.replaceChildren(text);
      }, textOf("two"));
      const contexts = [pageAt("/one", "one"), pageAt("/two", "two")];
      await stores(...contexts);
      const before = since();
      await stage.empty();
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
      return stored(since().length);
    },
  },
  {
    fault: "pdf",
    injected: "a PDF, which no content script can read, loaded twice, left and gone back to",
    async run(stage) {
      const { since, stores, current, isViewedBy } = watch(stage);
      // Until the browser's viewer shows it, the tab is named after the file.
      const pdf = { type: "navigation", path: "/keeper.pdf", title: "The keeper", content: "" };
      const page = await stage.browser.visit(`${stage.site.origin}/keeper.pdf`);
      await stores(pdf);
      await current("/keeper.pdf");
      await isViewedBy(() => page.reload());
      await stage.empty();
      await stores(pdf);
      await page.goto(`${stage.site.origin}/two`);
      await stores(pdf, pageAt("/two", "two"));
      await isViewedBy(() => page.goBack({ waitUntil: [] }));
      await stage.empty();
      await stores(pdf, pageAt("/two", "two"));
      return stored(since().length);
    },
  },
];
