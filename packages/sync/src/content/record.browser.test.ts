import { expect } from "vitest";
import { test } from "../../test/content-test.js";

const body = `<!doctype html><title>Lamp</title><p>${"The keeper lights the lamp. ".repeat(10)}</p><p id="more">Loading</p><p id="tick">1</p><input type="password">`;

test("reads after settling, then at doubling intervals, and skips small changes", async ({ browser }) => {
  await using page = await browser.open(body);
  const { texts, ids } = await page.run(async (lab) => {
    const { host, pass } = lab.manual();
    const { capture, sent } = lab.open({ host });
    const texts: (string | null)[] = [];
    const more = document.querySelector("#more") as HTMLElement;
    const after = async (ms: number) => {
      const before = sent.length;
      await pass(ms);
      const last = sent.slice(before).findLast(({ visit }) => visit !== "viewed");
      texts.push(last === undefined ? null : (last.content.split("\n\n")[1] ?? "navigation"));
    };
    capture.record();
    await after(0);
    await after(1_000);
    for (const word of ["first", "second"]) {
      more.textContent = `The ${word} text that came late, and is long enough.`;
      await after(1_000);
    }
    await after(18_000);
    await after(1_000);
    (document.querySelector("#tick") as HTMLElement).textContent = "2";
    await after(40_000);
    more.textContent = "The third text, of which as much is another as there was of the second one.";
    await after(79_000);
    await after(1_000);
    return { texts, ids: new Set(sent.map(({ contextId }) => contextId)).size };
  });
  expect(texts).toEqual([
    "navigation",
    "Loading",
    "The first text that came late, and is long enough.",
    null,
    null,
    "The second text that came late, and is long enough.",
    null,
    null,
    "The third text, of which as much is another as there was of the second one.",
  ]);
  expect(ids).toBe(1);
});

test("starts a visit at a new address, and keeps text while a password is typed", async ({ browser }) => {
  await using page = await browser.open(body);
  const sent = await page.run(async (lab) => {
    const { host, pass } = lab.manual();
    const { capture, sent } = lab.open({ host });
    const more = document.querySelector("#more") as HTMLElement;
    const recording = capture.record();
    await pass(1_000);
    await pass(1_000);
    history.replaceState(null, "", "?clean");
    more.append(".");
    await pass(1_000);
    history.pushState(null, "", "#/next");
    more.append(".");
    await pass(1_000);
    (document.querySelector("p") as HTMLElement).textContent = "The next view, which came after a while.";
    await pass(1_000);
    (document.querySelector("input") as HTMLInputElement).value = "hunter2";
    await pass(20_000);
    (document.querySelector("input") as HTMLInputElement).value = "";
    const { status } = await recording.now();
    recording.end();
    document.title = "After the end";
    await pass(400_000);
    if (status !== "queued") throw new Error(status);
    const read = sent.filter(({ visit }) => visit !== "viewed");
    return read.map(({ contextId, type, url, content }) => ({ contextId, type, hash: new URL(url).hash, begins: content.slice(0, 8) }));
  });
  const [first, , next] = sent.map(({ contextId }) => contextId);
  expect(next).not.toBe(first);
  expect(sent).toEqual([
    { contextId: first, type: "navigation", hash: "", begins: "" },
    { contextId: first, type: "page", hash: "", begins: "The keep" },
    { contextId: next, type: "page", hash: "#/next", begins: "The next" },
    // Asked for.
    { contextId: next, type: "page", hash: "#/next", begins: "The next" },
  ]);
});

test.for([
  { entries: "with a name", hasNames: true },
  { entries: "without one, as in Firefox 140", hasNames: false },
])("says that somebody went back or forward within a document: entries $entries", async ({ hasNames }, { browser }) => {
  await using page = await browser.open(hasNames ? body : `${body}<i id="nameless"></i>`);
  const visits = await page.run(async (lab) => {
    if (document.querySelector("#nameless") !== null) Object.defineProperty(globalThis, "navigation", { value: undefined });
    const { host, pass } = lab.manual();
    const { capture, sent } = lab.open({ host });
    const text = document.querySelector("p") as HTMLElement;
    const list = text.textContent;
    const show = async (words: string) => {
      // At first the text of the last address is still there.
      (document.querySelector("#tick") as HTMLElement).append("");
      await pass(1_000);
      text.textContent = words;
      await pass(1_000);
    };
    const travel = async (way: "back" | "forward") => {
      const moved = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
      history[way]();
      await moved;
    };
    capture.record();
    await pass(1_000);
    await pass(1_000);
    history.pushState(null, "", "#/message");
    await show("A message, which is long enough to be another text.");
    await travel("back");
    await show(list);
    await travel("forward");
    await show("A message, which is long enough to be another text.");
    history.pushState(null, "", "#/other");
    await show("One more message, which is long enough to be another text.");
    await travel("back");
    history.replaceState(null, "", "#/moved");
    await show("What the page shows in place of a message that has moved.");
    history.pushState(null, "", "#/message");
    await show("A message, which is long enough to be another text.");
    // Whether the address that the page moved to counts as gone back to is for the browser to say.
    const read = sent.filter(({ type, visit, url }) => type === "page" && visit !== "viewed" && !url.endsWith("#/moved"));
    return read.map(({ url, visit, content }) => `${new URL(url).hash} ${visit} ${content.slice(0, 8)}`);
  });
  expect(visits).toEqual([
    " navigate The keep",
    "#/message navigate A messag",
    " back_forward The keep",
    "#/message back_forward A messag",
    "#/other navigate One more",
    "#/message navigate A messag",
  ]);
});

test("the text of an address that is blocked is not recorded under the next one", async ({ browser }) => {
  await using page = await browser.open(body);
  const sent = await page.run(async (lab) => {
    const { host, pass } = lab.manual();
    const { capture, sent } = lab.open({ host, blocks: ({ url }) => url.endsWith("/private") });
    const text = document.querySelector("p") as HTMLElement;
    capture.record();
    await pass(1_000);
    await pass(1_000);
    history.pushState(null, "", "#/private");
    text.textContent = "A letter that is nobody's business, and long enough to be one.";
    await pass(1_000);
    history.pushState(null, "", "#/other");
    (document.querySelector("#tick") as HTMLElement).textContent = "2";
    await pass(1_000);
    text.textContent = "The other view, which took its time, and is long enough as well.";
    await pass(1_000);
    const read = sent.filter(({ visit }) => visit !== "viewed");
    return read.map(({ url, content }) => `${new URL(url).hash} ${content.slice(0, 14)}`);
  });
  expect(sent).toEqual([" ", " The keeper lig", "#/other The other view"]);
});

test("keeps one context for a rewritten address, and treats a failing mode as off", async ({ browser }) => {
  await using page = await browser.open(body);
  const { ids, statuses } = await page.run(async (lab) => {
    const { host, pass } = lab.manual();
    const { capture, sent } = lab.open({ host });
    let fails = false;
    const recording = capture.record({
      mode: async (): Promise<"article"> => {
        if (fails) throw new Error("The settings cannot be read.");
        return "article";
      },
    });
    await pass(0);
    history.replaceState(null, "", "?clean");
    await pass(1_000);
    (document.querySelector("p") as HTMLElement).textContent = "The text that came late, and is long enough for anybody.";
    await pass(1_000);
    fails = true;
    (document.querySelector("p") as HTMLElement).textContent = "What came while nobody knew whether it may be recorded at all.";
    await pass(20_000);
    const { status } = await recording.now();
    fails = false;
    await pass(40_000);
    return { ids: new Set(sent.map(({ contextId }) => contextId)).size, statuses: [status, sent.length > 2] };
  });
  expect(ids).toBe(1);
  expect(statuses).toEqual(["queued", true]);
});

test("counts visible time with focus, and sends it when the page is hidden", async ({ browser }) => {
  await using page = await browser.open(body);
  const sent = await page.run(async (lab) => {
    const { host, pass } = lab.manual();
    const { focus, show } = lab.looks();
    const { capture, sent } = lab.open({ host: { ...host, now: () => 0 } });
    capture.record();
    await pass(1_000);
    await pass(1_000);
    await pass(4_000);
    focus(false);
    await pass(7_000);
    focus(true);
    await pass(5_000);
    show("hidden");
    await pass(30_000);
    show("visible");
    await pass(3_000);
    history.pushState(null, "", "#/next");
    (document.querySelector("p") as HTMLElement).textContent = "The next view, which is a visit of its own.";
    await pass(1_000);
    // A machine that sleeps is not looked at.
    await pass(9_000_000);
    show("hidden");
    await pass(0);
    return sent.map(({ contextId, visit, viewedMs }) => ({ contextId, visit, viewedMs }));
  });
  const [first, , , , next] = sent.map(({ contextId }) => contextId);
  expect(next).not.toBe(first);
  expect(sent).toEqual([
    { contextId: first, visit: "navigate", viewedMs: 0 },
    { contextId: first, visit: "navigate", viewedMs: 1_000 },
    { contextId: first, visit: "viewed", viewedMs: 10_000 },
    { contextId: first, visit: "viewed", viewedMs: 4_000 },
    { contextId: next, visit: "navigate", viewedMs: 0 },
    { contextId: next, visit: "viewed", viewedMs: 120_000 },
  ]);
});

test("sends the time of a page that is left before it reads what has changed", async ({ browser }) => {
  await using page = await browser.open(body);
  const sent = await page.run(async (lab) => {
    const { host, pass } = lab.manual();
    const { show } = lab.looks();
    const { capture, sent } = lab.open({ host: { ...host, now: () => 0 } });
    capture.record();
    await pass(1_000);
    await pass(1_000);
    await pass(4_000);
    (document.querySelector("p") as HTMLElement).textContent = "Text that came while the page was left, and is long enough as well.";
    await pass(0);
    const before = sent.length;
    show("hidden");
    await pass(0);
    return sent.slice(before).map(({ visit, viewedMs }) => [visit, viewedMs]);
  });
  expect(sent[0]).toEqual(["viewed", 5_000]);
});

test("counts no time of a pause during which the page stays in front", async ({ browser }) => {
  await using page = await browser.open(body);
  const times = await page.run(async (lab) => {
    const { host, pass } = lab.manual();
    const { show } = lab.looks();
    let mode: "article" | "off" = "article";
    const { capture, sent } = lab.open({ host, blocks: () => mode === "off" });
    const recording = capture.record({ mode: () => mode });
    await pass(1_000);
    // It is looked at again every five minutes at most, and once a minute it says that it is still in front.
    for (let minute = 0; minute < 10; minute += 1) await pass(60_000);
    mode = "off";
    for (let minute = 0; minute < 4; minute += 1) await pass(60_000);
    mode = "article";
    for (let minute = 0; minute < 2; minute += 1) await pass(60_000);
    show("hidden");
    await pass(0);
    show("visible");
    // One that begins and ends between two such minutes.
    await pass(5_000);
    mode = "off";
    await pass(5_000);
    show("hidden");
    await pass(5_000);
    mode = "article";
    show("visible");
    await recording.now();
    let ms = 0;
    return sent.map(({ viewedMs = 0 }) => (ms += viewedMs));
  });
  // The minutes in which recording was switched off or on are not counted.
  expect(times.map((ms) => ms / 1_000)).toEqual([0, 1, 61, 121, 181, 301, 481, 661, 661]);
});

test("counts a time once when its message is dropped or its answer is lost", async ({ browser }) => {
  await using page = await browser.open(body);
  const times = await page.run(async (lab) => {
    const { host, pass } = lab.manual();
    const { show } = lab.looks();
    let failure: "dropped" | "lost" | undefined;
    const { capture, sent } = lab.open({ host: { ...host, now: () => 0 }, fails: () => failure });
    capture.record();
    await pass(1_000);
    await pass(1_000);
    for (failure of ["dropped", "lost", undefined] as const) {
      await pass(4_000);
      show("hidden");
      // Longer than an answer is waited for.
      for (let second = 0; second < 10; second += 1) await pass(1_000);
      show("visible");
    }
    // A request that is repeated is the same one.
    return [...new Set(sent)].map(({ viewedMs }) => viewedMs).filter((ms) => ms !== 0);
  });
  expect(times).toEqual([1_000, 5_000, 4_000, 4_000]);
});

test("sends the time of a page that is left before its first reading", async ({ browser }) => {
  await using page = await browser.open(body);
  const sent = await page.run(async (lab) => {
    const { host, pass } = lab.manual();
    const { show } = lab.looks();
    const { capture, sent } = lab.open({ host });
    capture.record({ settleMs: 100_000 });
    await pass(0);
    await pass(4_000);
    show("hidden");
    const first = sent.map(({ type, visit, viewedMs }) => [type, visit, viewedMs]);
    await pass(0);
    // For less than a second, too.
    show("visible");
    await pass(400);
    const before = sent.length;
    show("hidden");
    return [...first, sent.slice(before).map(({ viewedMs }) => viewedMs)];
  });
  expect(sent).toEqual([["navigation", "navigate", 0], ["navigation", "viewed", 4_000], [400]]);
});

test("hands in a page once and counts no time while its site is blocked", async ({ browser }) => {
  await using page = await browser.open(body);
  const { handedIn, minutes } = await page.run(async (lab) => {
    const { host, pass } = lab.manual();
    const { show } = lab.looks();
    let isBlocked = false;
    let handedIn = 0;
    const blocks = () => {
      if (isBlocked) handedIn += 1;
      return isBlocked;
    };
    const { capture, sent } = lab.open({ host, blocks, isUnwanted: () => isBlocked });
    capture.record();
    await pass(1_000);
    for (let minute = 0; minute < 4; minute += 1) await pass(60_000);
    isBlocked = true;
    for (let minute = 0; minute < 20; minute += 1) await pass(60_000);
    show("hidden");
    await pass(0);
    show("visible");
    isBlocked = false;
    // Its next heartbeat says that it is recorded again.
    for (let minute = 0; minute < 10; minute += 1) await pass(60_000);
    show("hidden");
    await pass(0);
    return { handedIn, minutes: sent.reduce((sum, { viewedMs = 0 }) => sum + viewedMs, 0) / 60_000 };
  });
  expect(handedIn).toBeLessThanOrEqual(1);
  expect(minutes).toBeGreaterThanOrEqual(12);
  expect(minutes).toBeLessThanOrEqual(14);
});
