import { expect } from "vitest";
import { test } from "../../test/content-test.js";

test("reads address, title, language, description and text over plain http", async ({ browser }) => {
  await using page = await browser.open(`<!doctype html><html lang="en-GB"><head><title> The keeper </title>
    <link rel="canonical" href="/keeper"><meta name="description" content="About a lamp.">
    <style>body { color: red }</style><script>const secret = 1;</script></head>
    <body><h1>The keeper</h1><p>lights the   <b>lamp</b></p><ul><li>at dusk<li>at dawn</ul><noscript>no script</noscript></body></html>`);
  const { captured, sent, isSecure, hasRandomUuid } = await page.run(async (lab) => {
    const { capture, sent } = lab.open();
    return { captured: await capture.page(), sent, isSecure: isSecureContext, hasRandomUuid: "randomUUID" in crypto };
  });
  expect({ isSecure, hasRandomUuid }).toEqual({ isSecure: false, hasRandomUuid: false });
  expect(captured.status).toBe("queued");
  expect(sent).toHaveLength(1);
  const { contextId, capturedAt, ...first } = sent[0]!;
  expect(captured).toEqual({ status: "queued", id: expect.any(String), contextId });
  expect(contextId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  expect(Math.abs(Date.parse(capturedAt) - Date.now())).toBeLessThan(3_600_000);
  expect(first).toEqual({
    type: "page",
    url: page.url,
    title: "The keeper",
    lang: "en-GB",
    isActive: true,
    isLoading: expect.any(Boolean),
    content: "# The keeper\n\nlights the lamp\n\n- at dusk\n- at dawn",
    contentFormat: "markdown",
    metadata: { canonicalUrl: `${browser.origin}/keeper`, description: "About a lamp.", lang: "en-GB" },
  });
});

test("reads 30,000 elements in slices, and says when it was cut", async ({ browser }) => {
  const items = Array.from({ length: 10_000 }, (_, index) => `<div><p>Item <b>${index}</b></p></div>`).join("");
  await using page = await browser.open(`<!doctype html><title>Large</title><body>${items}`);
  const { whole, cut, short, turns } = await page.run(async (lab) => {
    let turns = 0;
    const pause = async () => {
      turns += 1;
      await new Promise((resolve) => setTimeout(resolve));
      return 8;
    };
    const whole = await lab.open({ host: { ...lab.ticking(0.03), pause } }).capture.explain();
    const cut = await lab.open({ host: lab.ticking(10) }).capture.explain();
    const short = await lab.open({ host: lab.ticking(0.03), contentBytesMax: 10_000 }).capture.explain();
    return { whole, cut, short, turns };
  });
  if (whole.status !== "ready" || cut.status !== "ready" || short.status !== "ready") throw new Error(`${whole.status}, ${cut.status}`);
  expect(whole.context.metadata).not.toHaveProperty("truncated");
  expect(whole.context.content?.match(/Item \d+/g)).toHaveLength(10_000);
  expect(turns).toBeGreaterThan(5);
  for (const { context } of [cut, short]) {
    expect(context.metadata?.["truncated"]).toBe(true);
    const lines = context.content?.split("\n\n") ?? [];
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.length).toBeLessThan(9_000);
    expect(lines).toEqual(lines.map((_, index) => `Item ${index}`));
  }
  expect(short.context.content?.length).toBeGreaterThan(8_000);
});

test("text is cut at the limit between code points: Chinese, emoji, control characters", async ({ browser }) => {
  await using page = await browser.open(`<!doctype html><meta charset="utf-8"><title>${"灯".repeat(682)}</title><body><p></p>`);
  const cases = await page.run(async (lab) => {
    const contents: { content: string; truncated: unknown; titleBytes: number }[] = [];
    for (const text of ["灯塔守护人在黄昏点亮灯光".repeat(300), "🗼💡".repeat(900), '"\u0001\\'.repeat(900), "short"]) {
      (document.querySelector("p") as HTMLElement).textContent = text;
      const { capture, sent } = lab.open({ contentBytesMax: 2_000 });
      await capture.page();
      const [first] = sent;
      const titleBytes = new TextEncoder().encode(first?.title).length;
      contents.push({ content: first?.content ?? "", truncated: first?.metadata?.["truncated"], titleBytes });
    }
    return contents;
  });
  for (const { content, truncated, titleBytes } of cases) {
    expect(content.isWellFormed()).toBe(true);
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(2_000);
    expect(truncated).toBe(content === "short" ? undefined : true);
    expect(titleBytes).toBe(2_046);
  }
  expect(cases.map(({ content }) => content.slice(0, 5))).toEqual(["灯塔守护人", "🗼💡\ud83d", '"\u0001\\"\u0001', "short"]);
  expect(cases.map(({ content }) => Array.from(content).length).slice(0, 3)).toEqual([666, 500, 2000]);
});

test("leaves no half number where a text was cut", async ({ browser }) => {
  await using page = await browser.open("<!doctype html><title>Cut</title>");
  const sent = await page.run(async (lab) => {
    const { capture, sent } = lab.open({ contentBytesMax: 1_000 });
    await capture.custom("note", {}, { content: `${"lamp ".repeat(198)}4111 1111 1111 1111` });
    return sent;
  });
  expect(sent[0]).toMatchObject({ content: "lamp ".repeat(198).trimEnd(), metadata: { truncated: true } });
});

test("omits a title and a description that are too long", async ({ browser }) => {
  const long = `${"lamp ".repeat(408)}4111 1111 1111 1111`;
  await using page = await browser.open(`<!doctype html><title>${long}</title><meta name="description" content="${long.slice(-1_001)}">`);
  const sent = await page.run(async (lab) => {
    const { capture, sent } = lab.open();
    await capture.page();
    document.title = document.title.slice(0, 2_039);
    const description = document.querySelector("meta") as HTMLMetaElement;
    description.content = description.content.slice(1);
    await capture.page();
    return sent;
  });
  expect(sent.map(({ title, metadata }) => ({ title, metadata }))).toEqual([
    { title: "", metadata: { truncated: true } },
    { title: "lamp ".repeat(408).trimEnd(), metadata: { description: long.slice(-1_000).trim() } },
  ]);
});

test("a text node that is longer than the limit is read up to the limit", async ({ browser }) => {
  await using page = await browser.open(`<!doctype html><title>Long</title><p>`);
  const content = await page.run(async (lab) => {
    const text = document.createTextNode("lamp ".repeat(300_000));
    (document.querySelector("p") as HTMLElement).append(text, " \n ".repeat(1_000), "never read");
    const { capture, sent } = lab.open();
    await capture.page();
    return sent[0]?.content ?? "";
  });
  expect(content.length).toBeGreaterThan(1_048_000);
  expect(content.length).toBeLessThanOrEqual(1_048_576);
  expect(content.replaceAll("lamp ", "")).toMatch(/^l?a?m?p?$/);
});

test("right-to-left text keeps its order", async ({ browser }) => {
  await using page = await browser.open(
    `<!doctype html><html lang="ar" dir="rtl"><title>منارة</title><body><p>يشعل <b>الحارس</b> المصباح 12</p>`,
  );
  const sent = await page.run(async (lab) => {
    const { capture, sent } = lab.open();
    await capture.page();
    return sent;
  });
  expect(sent[0]).toMatchObject({ title: "منارة", lang: "ar", content: "يشعل الحارس المصباح 12" });
});

test("documents that are none of HTML, or have no body, are captured without an error", async ({ browser }) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><title>A lamp</title><style>text{fill:red}</style><text y="20">light</text></svg>`;
  const cases = [
    { body: svg, type: "image/svg+xml", has: "light", contentType: "image/svg+xml" },
    { body: "plain\nlines", type: "text/plain", has: "plain\nlines", contentType: "text/plain" },
    { body: '{"lamp":1}', type: "application/json", has: '{"lamp":1}', contentType: "application/json" },
  ];
  for (const { body, type, has, contentType } of cases) {
    await using page = await browser.open(body, { type });
    const { captured, sent } = await page.run(async (lab) => {
      const { capture, sent } = lab.open();
      return { captured: await capture.page(), sent };
    });
    expect(captured.status).toBe("queued");
    expect(sent[0]?.metadata).toMatchObject({ contentType });
    expect(sent[0]?.content).toContain(has);
    expect(sent[0]?.content).not.toContain("fill:red");
  }
  await using page = await browser.open("<!doctype html><title>Empty</title><p>gone");
  const sent = await page.run(async (lab) => {
    document.body.remove();
    const { capture, sent } = lab.open();
    await capture.page();
    document.documentElement.remove();
    await capture.page();
    return sent;
  });
  expect(sent.map(({ title, content }) => [title, content])).toEqual([
    ["Empty", ""],
    ["", ""],
  ]);
});

test("captures the current state, and reads again when the page changes", async ({ browser }) => {
  await using page = await browser.open("<!doctype html><title>One</title><main>First view</main>");
  const { contents, again, moved, movedTwice } = await page.run(async (lab) => {
    const { capture, sent } = lab.open();
    await capture.page();
    history.pushState(null, "", "/second");
    document.title = "Two";
    (document.querySelector("main") as HTMLElement).textContent = "Second view";
    await capture.page();
    const contents = sent.map(({ url, title, content }) => [new URL(url).pathname.slice(0, 5), title, content]);

    const main = document.querySelector("main") as HTMLElement;
    const rows = (word: string) => Array.from({ length: 600 }, (_, index) => `<p>${word} ${index}</p>`).join("");
    /** Reads a page that does something the first times that it gets its turn. */
    const read = async (times: number, act: (time: number) => void) => {
      main.innerHTML = rows("before");
      let time = 0;
      const pause = async () => {
        time += 1;
        if (time > 1 && time <= times + 1) act(time);
        return 8;
      };
      const { capture, sent } = lab.open({ host: { ...lab.ticking(1), pause } });
      const captured = await capture.page();
      return { captured, content: sent[0]?.content ?? "", url: sent[0]?.url ?? "" };
    };
    const again = await read(1, () => {
      main.innerHTML = rows("after");
    });
    const moved = await read(1, () => {
      main.innerHTML = rows("third");
      history.pushState(null, "", "/third");
    });
    const movedTwice = await read(1_000, (time) => history.pushState(null, "", `/view-${time}`));
    return { contents, again, moved, movedTwice };
  });
  expect(contents).toEqual([
    ["/page", "One", "First view"],
    ["/seco", "Two", "Second view"],
  ]);
  expect(again.captured.status).toBe("queued");
  expect(again.content).toContain("after 599");
  expect(again.content).not.toContain("before");
  expect([moved.url.slice(-6), moved.content.includes("third 599"), moved.content.includes("before")]).toEqual(["/third", true, false]);
  expect(movedTwice.captured).toMatchObject({ status: "unavailable", reason: "page-changed" });
});

test("reads a form at once, since its page may be left before it is idle", async ({ browser }) => {
  await using page = await browser.open(`<!doctype html><title>Form</title><form><input name="oil" value="two litres"></form>`);
  const { pauses, sent } = await page.run(async (lab) => {
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
      return 8;
    };
    const { capture, sent } = lab.open({ host: { ...lab.ticking(0.03), pause } });
    await capture.form(document.querySelector("form")!);
    return { pauses, sent };
  });
  expect(sent[0]?.content).toContain("two litres");
  expect(pauses).toBe(0);
});

test("survives clobbered names and overwritten prototypes", async ({ browser }) => {
  await using page = await browser.open(`<!doctype html><title>Named</title><body>
    <img name="body" alt=""><img name="title" alt=""><img name="documentElement" alt=""><img name="querySelectorAll" alt=""><img name="cloneNode" alt="">
    <form><p>Form text</p><input name="firstChild"><input name="nextSibling"><input name="elements"><input name="shadowRoot"><input name="localName">
    <input name="matches"><input name="parentNode"><input type="password" name="getAttribute"><input name="isConnected" autocomplete="cc-number"></form>
    <p>After</p><script>
    for (const name of ["innerText", "checkVisibility", "querySelectorAll", "matches", "shadowRoot"])
      Object.defineProperty(name === "innerText" ? HTMLElement.prototype : Element.prototype, name, { get: () => "forged", configurable: true });
    crypto.getRandomValues = () => new Uint8Array(16);
    </script>`);
  const { whole, form, restricted } = await page.run(async (lab) => {
    const first = lab.open();
    await first.capture.page();
    const named = Element.prototype.querySelector.call(Document.prototype.querySelector.call(document, "html"), "form") as HTMLFormElement;
    await first.capture.form(named);
    (Element.prototype.querySelector.call(named, "[autocomplete]") as HTMLInputElement).value = "4111";
    const third = lab.open();
    await third.capture.page();
    return {
      whole: first.sent[0],
      form: first.sent[1],
      restricted: third.sent[0],
    };
  });
  expect(whole).toMatchObject({ title: "Named", content: "Form text\n\nAfter" });
  expect(JSON.parse(form?.content ?? "")).toHaveLength(9);
  expect(restricted).toMatchObject({ privacyLevel: "restricted", content: "" });
});
