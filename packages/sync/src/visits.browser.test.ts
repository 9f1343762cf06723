import { expect, test } from "vitest";
import { visitBrowser, type Pages } from "../test/visit-browser.js";

const patience = { timeout: 45_000 };
const page = (name: string, more = "") => `<!doctype html><title>${name}</title><p id="text">Text of ${name}</p>${more}`;

const pages: Pages = {
  "/one": page("one"),
  "/two": page("two"),
  "/hanging": page("hanging", `<img src="/never">`),
  "/never": () => {},
  "/streamed": (response) => {
    response.writeHead(200, { "Content-Type": "text/html" });
    // More than a browser waits for before it draws; and then nothing.
    response.write(`${page("streamed")}<!--${" ".repeat(5_000)}-->`);
  },
  "/late": `<!doctype html><title>Loading</title><p id="text">Loading…</p><script>
    setTimeout(() => { document.title = "late"; document.querySelector("#text").textContent = "Text of late"; }, 1500);
  </script>`,
  "/sandbox": (response) =>
    response.writeHead(200, { "Content-Type": "text/html", "Content-Security-Policy": "sandbox allow-scripts" }).end(page("sandbox")),
  "/mail": `<!doctype html><title>Mail</title><p id="text">Inbox</p><script>
    addEventListener("hashchange", () => {
      if (location.hash.startsWith("#inbox/")) document.querySelector("#text").textContent = "Message " + location.hash.slice(7) + " with a text of its own";
    });
  </script>`,
  "/links": page(
    "links",
    `<script type="speculationrules">{"prerender":[{"source":"list","urls":["/soon"]}]}</script><a href="/soon">soon</a>`,
  ),
};

/** Of each context its type, where it is and what it says. */
const seen = (stage: Awaited<ReturnType<typeof visitBrowser>>) =>
  stage.contexts().map(({ type, path, title, content }) => `${type} ${path} ${title}: ${content}`);

test.each([
  ["whose picture never comes", "/hanging", "page /hanging hanging: Text of hanging"],
  ["that is still being sent", "/streamed", "page /streamed streamed: Text of streamed"],
  ["whose text comes late", "/late", "page /late late: Text of late"],
  ["that its server put into a sandbox", "/sandbox", "page /sandbox sandbox: Text of sandbox"],
])("a page %s is one context with its text", async (_, path, context) => {
  await using stage = await visitBrowser(pages);
  const tab = await stage.browser.newPage();
  await tab.goto(`${stage.origin}${path}`, { waitUntil: [], timeout: 0 }).catch(() => {});
  await expect.poll(() => seen(stage), patience).toEqual([context]);
});

test("loaded anew, doubled and with its address rewritten a page is still one context", async () => {
  await using stage = await visitBrowser(pages);
  const tab = await stage.browser.newPage();
  await tab.goto(`${stage.origin}/one`);
  const one = ["page /one one: Text of one"];
  await expect.poll(() => seen(stage), patience).toEqual(one);
  for (let time = 0; time < 4; time += 1) await tab.reload();
  await stage.inWorker(async () => {
    const [tab] = await chrome.tabs.query({ active: true });
    await chrome.tabs.duplicate(tab?.id ?? -1);
  });
  await tab.bringToFront();
  await tab.evaluate(() => history.replaceState(null, "", "/one?clean"));
  // What comes after it shows that all before was told.
  const other = await stage.browser.newPage();
  await other.goto(`${stage.origin}/two`);
  await expect.poll(() => seen(stage), patience).toEqual([...one, "page /two two: Text of two"]);
});

test("routes behind # are pages of their own where the text changes, and places in a page are not", async () => {
  await using stage = await visitBrowser(pages);
  const tab = await stage.browser.newPage();
  await tab.goto(`${stage.origin}/mail`);
  const texts = ["page /mail Mail: Inbox"];
  await expect.poll(() => seen(stage), patience).toEqual(texts);
  await tab.evaluate(() => void (location.hash = "#top"));
  for (const name of ["a", "b"]) {
    await tab.evaluate((name) => void (location.hash = `#inbox/${name}`), name);
    texts.push(`page /mail#inbox/${name} Mail: Message ${name} with a text of its own`);
    await expect.poll(() => seen(stage), patience).toEqual(texts);
  }
});

test("what is current is what is in front: after a switch of tabs, a tab opened behind, and a return from the cache", async () => {
  await using stage = await visitBrowser(pages);
  const first = await stage.browser.newPage();
  await first.goto(`${stage.origin}/one`);
  await expect.poll(() => stage.current(), patience).toBe("Text of one");
  await stage.inWorker(async () => {
    const [tab] = await chrome.tabs.query({ active: true });
    await chrome.tabs.create({ active: false, url: (tab?.url ?? "").replace("/one", "/two") });
  });
  await expect.poll(() => seen(stage), patience).toEqual(["page /one one: Text of one", "page /two two: Text of two"]);
  expect(stage.contexts().map(({ isActive }) => isActive)).toEqual([true, false]);
  expect(stage.current()).toBe("Text of one");
  await stage.inWorker(async () => {
    const tabs = await chrome.tabs.query({});
    await chrome.tabs.update(tabs.find(({ url }) => url?.endsWith("/two") === true)?.id ?? -1, { active: true });
  });
  await expect.poll(() => stage.current(), patience).toBe("Text of two");
  await first.bringToFront();
  await expect.poll(() => stage.current(), patience).toBe("Text of one");

  await first.evaluate(() => addEventListener("pageshow", ({ persisted }) => void (document.body.dataset["back"] = String(persisted))));
  await first.goto(`${stage.origin}/late`);
  await expect.poll(() => stage.current(), patience).toBe("Text of late");
  await first.goBack({ waitUntil: [] }).catch(() => {});
  await expect.poll(() => stage.current(), patience).toBe("Text of one");
  expect(await first.evaluate(() => document.body.dataset["back"])).toBe("true");
  expect(stage.contexts()).toHaveLength(3);
});

test("a page that is loaded ahead is recorded when somebody comes to it, and not before", async () => {
  const purposes: unknown[] = [];
  await using stage = await visitBrowser({
    ...pages,
    "/soon": (response) => {
      purposes.push(response.req.headers["sec-purpose"]);
      response.writeHead(200, { "Content-Type": "text/html" }).end(page("soon"));
    },
  });
  const tab = await stage.browser.newPage();
  await tab.goto(`${stage.origin}/links`);
  await expect.poll(() => purposes, patience).toEqual(["prefetch;prerender"]);
  const links = "page /links links: Text of links\n\n[soon]";
  const starts = () => seen(stage).map((context) => context.slice(0, links.length));
  await expect.poll(starts, patience).toEqual([links]);
  await tab.click("a");
  await expect.poll(starts, patience).toEqual([links, "page /soon soon: Text of soon"]);
  await expect.poll(() => stage.current(), patience).toBe("Text of soon");
  // It was not asked for once more.
  expect(purposes).toHaveLength(1);
});
