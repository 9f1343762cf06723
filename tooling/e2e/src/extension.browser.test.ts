import { hangMs } from "@periscope/harness/chromium";
import { passes } from "@periscope/harness/fault-proxy";
import { waitUntil, within } from "@periscope/harness/wait-until";
import { expect } from "vitest";
import type { StoredContext } from "./harness/oracle.ts";
import { filesWith, headsOf } from "./harness/raw-data.ts";
import { recordWire, type Stage } from "./harness/stage.ts";
import { captureIn, test } from "./harness/sync-test.ts";
import { fieldSecrets, pages } from "./pages/pages.ts";

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

test("F17: pages in the back-forward cache while the worker drains", async ({ stage, since, visit, empty }) => {
  const page = await visit("/plain");
  for (let turn = 0; turn < 3; turn += 1) {
    await captureIn(page, { custom: `turn-${turn}` });
    await page.goto(`${stage.site.origin}/cjk`);
    await page.goBack();
  }
  await waitUntil("Three customs", () => since().filter(({ type }) => type === "custom").length === 3);
  await empty();
  // A drain that found nothing more may still be ending; a frozen page would hold the lock for ever.
  await waitUntil("A free lock", async () => {
    const { held = [] } = await stage.panel.evaluate(() => navigator.locks.query());
    return held.length === 0;
  });
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
  ).toEqual(["custom of asleep", "custom of lost"]);
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
  const wire = recordWire(proxy);
  const page = await visit("/form");
  expect(await captureIn(page, { form: "#form" })).toMatchObject({ status: "queued" });
  const diary = await browser.visit(`${site.origin.replace("127.0.0.1", "localhost")}/diary`);
  expect(await captureIn(diary, { custom: "diary" })).toMatchObject({ status: "blocked" });
  const hidden = await browser.browser.createBrowserContext();
  const unseen = await hidden.newPage();
  unseen.setDefaultTimeout(hangMs);
  await unseen.goto(`${site.origin}/private`);
  await empty();
  await waitUntil("The form", () => since().some(({ type }) => type === "form"));
  await empty();
  const databases = [`${directories.profile}/Default/IndexedDB`, `${directories.profile}/Default/Local Extension Settings`];
  // What may be known is found by the same search.
  expect(wire()).toContain(site.origin);
  expect(await filesWith([directories.server], site.origin)).not.toEqual([]);
  for (const [name, secret] of Object.entries(fieldSecrets)) {
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
