import { hangMs } from "@periscope/harness/chromium";
import { passes } from "@periscope/harness/fault-proxy";
import { standsBeforeStoring } from "@periscope/harness/faults";
import { waitUntil, within } from "@periscope/harness/wait-until";
import { expect } from "vitest";
import type { StoredContext } from "./harness/oracle.ts";
import { filesWith, headsOf } from "./harness/raw-data.ts";
import { recordWire, type Stage } from "./harness/stage.ts";
import { captureIn, test as onSite } from "./harness/sync-test.ts";
import { pages, secrets, textOf, textSecrets } from "./pages.ts";

// What becomes of pages in a real browser: each visit is one context with the text of its page, and `current` is the page in front.

const restrictedPage = { content: "", title: "[REDACTED:title]" };

/** Starts a worker if there is none; its database may take a while to open. */
const statusOf = (stage: Stage) => waitUntil("A status", () => stage.panel.evaluate(() => window.sync.status()).catch(() => undefined));
/** The queue ranks pages as 2, above navigations. */
const holdsPage = (stage: Stage) => waitUntil("A page that waits", async () => (await headsOf(stage.panel)).some(({ rank }) => rank === 2));

/** As a user does on the browser's page of extensions. */
async function switchExtension({ browser }: Stage, isOn: boolean): Promise<void> {
  const page = await browser.visit("chrome://extensions");
  const done = page.evaluate((id, isOn) => chrome.management.setEnabled(id, isOn), browser.extensionId, isOn);
  await within("Switching the extension", done);
  await page.close();
}

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

const test = onSite
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

test("visits: a visit to each kind of page, with the worker killed between", async ({ stage, since, visit, empty }) => {
  const paths = Object.keys(pages);
  // Before it answers, the worker has no listeners, and misses what the browser shows.
  await statusOf(stage);
  for (const [index, path] of paths.entries()) {
    const page = await visit(path);
    await waitUntil(`The page ${path}`, () => since().filter(({ type }) => type === "page").length > index);
    if (index % 3 === 1) await stage.browser.killWorker();
    await page.close();
  }
  await empty();
  const all = since();
  for (const [path, { title, begins, isSecret }] of Object.entries(pages)) {
    const of = all.filter(({ url }) => url === `${stage.site.origin}${path}`);
    const [text] = of;
    // Of a page with something in its password field there is its origin, and no more.
    if (isSecret) expect({ path, text }).toEqual({ path, text: undefined });
    else {
      expect({ path, types: of.map(({ type }) => type) }).toEqual({ path, types: ["page"] });
      expect({ path, title: text?.title, begins: text?.content.replace(/^# /, "").slice(0, begins.length) }).toEqual({
        path,
        title,
        begins,
      });
    }
  }
  const restricted = all.filter(({ type, privacyLevel }) => type === "page" && privacyLevel === "restricted");
  expect(restricted.map(({ content, title }) => ({ content, title }))).toEqual([restrictedPage, restrictedPage]);
  expect(all).toHaveLength(paths.length);
});

test("F22: worker asleep; answer lost; content script left over by an update", async ({ stage, since, visit, empty }) => {
  const page = await visit("/plain");
  await waitUntil("The visit", () => since().some(({ type }) => type === "page"));
  await stage.browser.killWorker();
  expect(await captureIn(page, { custom: "asleep" })).toMatchObject({ status: "queued" });
  // It stands still after the commit, and dies there: the page asks again under the same id.
  await empty();
  await stage.panel.evaluate(() => chrome.runtime.sendMessage({ parkAt: "after-enqueue" }));
  const asked = captureIn(page, { custom: "lost" });
  await waitUntil("The commit", async () => (await headsOf(stage.panel)).length > 0);
  await stage.browser.killWorker();
  expect(await asked).toMatchObject({ status: "queued" });
  await waitUntil("Both customs", () => since().filter(({ type }) => type === "custom").length === 2);
  await empty();
  expect(
    since()
      .filter(({ type }) => type === "custom")
      .map(({ content }) => content),
  ).toEqual(["asleep", "lost"]);
  stage.panel = await stage.browser.reload(stage.panel, "panel.html");
  expect(await captureIn(page, { custom: "orphan" })).toMatchObject({ status: "unavailable", reason: "orphaned" });
});

test("F23: a burst of pushState and replaceState, a hash, a frame", async ({ stage, since, visit, empty }) => {
  const page = await visit("/spa");
  await waitUntil("The visit", () => since().some(({ type }) => type === "page"));
  await page.evaluate(() => {
    for (let turn = 1; turn <= 5; turn += 1) {
      history.pushState({}, "", `/spa/${turn}`);
      (window as unknown as { show(name: string): void }).show(String(turn));
      history.replaceState({ turn }, "", `/spa/${turn}`);
    }
    location.hash = "part";
    const frame = document.createElement("iframe");
    frame.src = "/framed";
    document.body.append(frame);
  });
  const last = `${stage.site.origin}/spa/5`;
  const isOf = ({ url }: StoredContext) => url.replace(/#.*/, "") === last;
  await waitUntil("The page of the last address", () => since().some(isOf));
  await empty();
  const settled = since().filter(isOf);
  expect(settled.map(({ type, content }) => ({ type, content }))).toEqual([
    { type: "page", content: expect.stringMatching(/^View 5/) as unknown },
  ]);
  // None of the addresses that were passed through, and of the frame nothing by itself.
  expect(since()).toHaveLength(2);
});

test("F24: fields with secrets, a blocked site and a private window leave nothing", async ({ stage, since, visit, empty }) => {
  const { browser, directories, proxy, site } = stage;
  const held = standsBeforeStoring();
  const wire = recordWire(proxy, held.fault);
  const page = await visit("/form");
  expect(await captureIn(page, { form: "#form" })).toMatchObject({ status: "queued" });
  expect(await captureIn(page, { custom: textSecrets })).toMatchObject({ status: "queued" });
  const diary = await browser.visit(`${site.origin.replace("127.0.0.1", "localhost")}/diary`);
  expect(await captureIn(diary, { custom: "diary" })).toMatchObject({ status: "blocked" });
  const hidden = await browser.browser.createBrowserContext();
  const unseen = await hidden.newPage();
  unseen.setDefaultTimeout(hangMs);
  await unseen.goto(`${site.origin}/private`);
  const databases = [`${directories.profile}/Default/IndexedDB`, `${directories.profile}/Default/Local Extension Settings`];
  // What may be known is found by the same search: on the disk while it waits, then on the wire and on the server.
  expect(await filesWith(databases, site.origin)).not.toEqual([]);
  for (const [name, secret] of Object.entries(secrets)) expect([name, await filesWith(databases, secret)]).toEqual([name, []]);
  held.release();
  await empty();
  await waitUntil("Form and text", () => ["form", "custom"].every((type) => since().some((context) => context.type === type)));
  expect(wire()).toContain(site.origin);
  expect(await filesWith([directories.server], site.origin)).not.toEqual([]);
  for (const [name, secret] of Object.entries(secrets)) {
    expect([name, await filesWith([...databases, directories.server], secret)]).toEqual([name, []]);
    expect([name, wire().includes(secret), stage.server.output().includes(secret)]).toEqual([name, false, false]);
  }
  expect(since().every(({ url }) => !url.includes("/private") && !url.includes("/diary"))).toBe(true);
  await hidden.close();
});

test("F28: the extension switched off and on, then the browser killed, with rows", async ({ stage, since, visit, empty }) => {
  const { proxy } = stage;
  await empty();
  proxy.always = ({ cut }) => cut();
  const page = await visit("/plain");
  await holdsPage(stage);
  expect(await stage.panel.evaluate(() => chrome.alarms.getAll())).toHaveLength(1);
  await switchExtension(stage, false);
  proxy.always = passes;
  await switchExtension(stage, true);
  await waitUntil("What waited", () => since().some(({ type }) => type === "page"));
  stage.panel = await stage.browser.reopen("panel.html");
  await empty();
  proxy.always = ({ cut }) => cut();
  await page.goto(`${stage.site.origin}/cjk`);
  await holdsPage(stage);
  // The extension is on at once, but the browser saves that only every ten seconds.
  await waitUntil("An extension that is on in the profile", () => stage.browser.isWrittenAsOn());
  await stage.browser.crash();
  proxy.always = passes;
  await stage.relaunch();
  await waitUntil("What waited", () => since().filter(({ type }) => type === "page").length === 2);
  await empty();
  expect(since()).toHaveLength(2);
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

test("tab-switch: an address that its page rewrites, a tab that is opened behind, and switches between both", async ({
  stage,
  since,
  stores,
  current,
  visit,
}) => {
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
