import { expect } from "vitest";
import { test } from "../../test/content-test.js";

const form = `<!doctype html><title>Order</title><body><h1>Order</h1><form>
  <label>Colour <input name="colour" value="green-value"></label>
  <label for="mail">Your mail</label><input id="mail" name="mail" type="email" value="jo@mail-value.example">
  <input name="secret" type="password" placeholder="Password"><input name="csrf" type="hidden" value="hidden-value">
  <input name="otp" autocomplete="one-time-code" value="otp-value"><input name="trap" value="trap-value" style="display:none">
  <input name="card" autocomplete="section-a cc-number"><textarea name="note">note-default</textarea>
  <select name="size"><option value="">Choose<option value="l" selected>Large</select><input type="checkbox" name="gift" checked>
  <div class="diary">diary-text <input name="mood" value="mood-value"></div><div contenteditable>draft-text</div><p>Thank you</p>
</form>`;

test("text of fields, drafts and what the extension denies is in no page text", async ({ browser }) => {
  await using page = await browser.open(form);
  const preview = await page.run(async (lab) => {
    (document.querySelector("textarea") as HTMLTextAreaElement).value = "note-value";
    return await lab.open({ selectorDeny: [".diary"] }).capture.explain();
  });
  if (preview.status !== "ready") throw new Error(preview.status);
  expect(preview.context.content).toBe("# Order\n\nColour Your mail\n\nThank you");
  expect(preview.removed).toMatchObject({ denied: 1, editable: 1, field: 7 });
});

test("a form: fields that are shown, values only where the rules let them through", async ({ browser }) => {
  await using page = await browser.open(form);
  const { contents, removed } = await page.run(async (lab) => {
    const given = document.querySelector("form") as HTMLFormElement;
    const one = lab.open({ selectorDeny: [".diary"] });
    await one.capture.form(given);
    const open = lab.open({ privacyLevel: "public" });
    await open.capture.form(document.body);
    const preview = await lab.open().capture.explain({ type: "form", form: given });
    return {
      contents: [...one.sent, ...open.sent].map(({ content }) => content),
      removed: preview.status === "ready" ? preview.removed : undefined,
    };
  });
  expect(JSON.parse(contents[0] ?? "")).toEqual([
    { name: "colour", type: "text", label: "Colour", filled: true, value: "green-value" },
    { name: "mail", type: "email", label: "Your mail", filled: true },
    { name: "secret", type: "password", label: "Password", filled: false },
    { name: "otp", type: "text", autocomplete: "one-time-code", filled: true },
    { name: "card", type: "text", autocomplete: "section-a cc-number", filled: false },
    { name: "note", type: "textarea", filled: true, value: "note-default" },
    { name: "size", type: "select", filled: true, value: "Large" },
    { name: "gift", type: "checkbox", filled: true, value: "on" },
  ]);
  const [, mail, , otp] = JSON.parse(contents[1] ?? "") as { value?: string }[];
  expect([mail?.value, otp?.value, contents[1]?.includes("mood-value")]).toEqual(["jo@mail-value.example", undefined, true]);
  expect(removed).toMatchObject({ secret_value: 1, contact_value: 1 });
});

test("omits long form values, and cuts labels before numbers", async ({ browser }) => {
  const label = `${"lamp ".repeat(38)}4111 1111 1111 1111`;
  await using page = await browser.open(
    `<!doctype html><title>Long</title><form><textarea name="long" aria-label="${label}"></textarea><input name="short" value="lamp"></form>`,
  );
  const { content, metadata } = await page.run(async (lab) => {
    (document.querySelector("textarea") as HTMLTextAreaElement).value = `${"lamp ".repeat(1_636)}4111 1111 1111 1111`;
    const { capture, sent } = lab.open();
    await capture.form(document.querySelector("form") as HTMLFormElement);
    return { content: sent[0]?.content ?? "", metadata: sent[0]?.metadata };
  });
  expect(JSON.parse(content)).toEqual([
    { name: "long", type: "textarea", label: "lamp ".repeat(38).trim(), filled: true },
    { name: "short", type: "text", filled: true, value: "lamp" },
  ]);
  expect(metadata).toEqual({ truncated: true });
});

test.for([
  ["a password", "secret"],
  ["a card", "card"],
])("records only the visit of a login or payment page with %s", async ([, name], { browser }) => {
  await using page = await browser.open(form.replace("Order", "Order of Ada"));
  const { sent, preview } = await page.run(
    `async (lab) => {
    const field = document.querySelector("[name=${name}]");
    const { capture, sent } = lab.open();
    await capture.page();
    field.value = "${name}-value";
    getSelection().selectAllChildren(document.querySelector("h1"));
    await capture.page();
    await capture.selection();
    await capture.form(document.querySelector("form"));
    await capture.element(document.querySelector("h1"));
    await capture.custom("mark", { word: "Ada" }, { content: "Ada" });
    return { sent, preview: await capture.explain() };
  }` as unknown as () => Promise<{ sent: { content: string; privacyLevel?: string; metadata?: object }[]; preview: object }>,
  );
  expect(sent).toHaveLength(6);
  expect(sent[0]?.content).toContain("Thank you");
  for (const { content, privacyLevel, metadata } of sent.slice(1)) {
    expect({ content, privacyLevel, metadata }).toEqual({ content: "", privacyLevel: "restricted", metadata: {} });
  }
  expect(preview).toMatchObject({ status: "ready", level: "restricted", reasons: ["page:filled-secret"] });
  expect(JSON.stringify(preview)).not.toContain("Ada");
});

test("hidden text is left out", async ({ browser }) => {
  await using page =
    await browser.open(`<!doctype html><title>Hidden</title><style>.off{display:none}.dim{visibility:hidden}.dim b{visibility:visible}.flat{display:contents}</style>
    <p>shown</p><p class="off">no-display <b>no-display</b></p><p class="dim">no-visible<b>visible again</b></p><p hidden>no-hidden</p><p hidden="until-found">no-found</p><div style="content-visibility:hidden">no-content<b>no-content</b></div>
    <div class="flat">flat text <span>flat child</span></div><div class="off"><div class="flat">no-flat</div></div>
    <details><summary>Summary</summary>no-details</details><template>no-template</template><textarea>no-field</textarea>`);
  const contents = await page.run(async (lab) => {
    const { capture, sent } = lab.open();
    await capture.page();
    return sent[0]?.content.replaceAll(/\s+/g, "");
  });
  expect(contents).toBe("shownvisibleagainflattextflatchildSummary");
});

test("parts that the browser skips until they are scrolled to are read", async ({ browser }) => {
  const chapter = (name: string) =>
    `<section class="later"><h2>${name}</h2><div><p>first</p><p>of <b>${name}</b></p><p>last</p></div></section>`;
  const names = Array.from({ length: 40 }, (_, index) => `c${index}`);
  await using page = await browser.open(
    `<!doctype html><title>Later</title><style>.later{content-visibility:auto;contain-intrinsic-size:auto 900px}</style><article>${names.map(chapter).join("")}</article>`,
  );
  const words = await page.run(async (lab) => {
    // What is skipped is known once a frame was drawn.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const { capture, sent } = lab.open();
    await capture.page({ whole: true });
    return sent[0]?.content.split(/\s+/);
  });
  expect(words).toEqual(names.flatMap((name) => ["##", name, "first", "of", name, "last"]));
});

test("reads open shadow trees through slots, not closed or denied ones", async ({ browser }) => {
  await using page = await browser.open(
    `<!doctype html><title>Shadow</title><body><x-card><b slot="name">slotted</b>unslotted</x-card><div id="closed"></div><p>after</p>`,
  );
  const { whole, restricted } = await page.run(async (lab) => {
    const root = (document.querySelector("x-card") as Element).attachShadow({ mode: "open" });
    root.innerHTML = `<div>before <slot name="name">no-fallback</slot> <slot name="none">fallback</slot></div><div class="diary">no-diary</div><textarea>no-field</textarea>
      <section></section><style>div{color:red}</style>`;
    (root.querySelector("section") as Element).attachShadow({ mode: "open" }).innerHTML = "<p>nested</p><input type=password>";
    (document.querySelector("#closed") as Element).attachShadow({ mode: "closed" }).innerHTML = "no-closed";
    const read = async () => {
      const { capture, sent } = lab.open({ selectorDeny: [".diary"] });
      await capture.page();
      return sent[0];
    };
    const whole = await read();
    const nested = (root.querySelector("section") as Element).shadowRoot as ShadowRoot;
    (nested.querySelector("input") as HTMLInputElement).value = "hunter2";
    return { whole: whole?.content, restricted: await read() };
  });
  expect(whole?.split(/\n+/)).toEqual(["before slotted fallback", "nested", "after"]);
  expect(restricted).toMatchObject({ content: "", privacyLevel: "restricted" });
});

test("reads frames of the same origin in their places, and none by itself", async ({ browser }) => {
  await using page = await browser.open(
    `<!doctype html><title>Frames</title><p>outer</p><iframe srcdoc="<p>of the page"></iframe><iframe src="/inner"></iframe><iframe hidden srcdoc="no"></iframe><iframe style="visibility:hidden" srcdoc="no"></iframe><iframe sandbox srcdoc="no"></iframe><p>end</p>`,
  );
  await using inner = await browser.open("<!doctype html><title>Inner</title><p>inner text</p>", { path: "/inner" });
  await page.reload();
  const outer = await page.run(async (lab) => {
    const { capture, sent } = lab.open();
    await capture.page();
    return sent;
  });
  expect(outer.map(({ content }) => content)).toEqual(["outer\n\nof the page\n\ninner text\n\nend"]);
  const alone = await page.run(async (lab) => await lab.open().capture.page(), inner.url);
  expect(alone).toMatchObject({ status: "unavailable", reason: "frame" });
});

test("a selection: across elements, without fields and drafts in it, empty in a field", async ({ browser }) => {
  await using page =
    await browser.open(`<!doctype html><title>Select</title><p id="a">one <b>two</b></p><div contenteditable>draft <i>inside</i></div><p id="b">three four</p>
    <p id="c">five</p><textarea>typed text</textarea>`);
  const read = await page.run(async (lab) => {
    const { capture, sent } = lab.open();
    const select = async (start: [string, number], end: [string, number]) => {
      const text = (path: string) => (document.querySelector(path) as Element).firstChild as Text;
      getSelection()?.setBaseAndExtent(text(start[0]), start[1], text(end[0]), end[1]);
      const before = sent.length;
      const { status, ...more } = await capture.selection();
      return [status, "rule" in more ? more.rule : null, sent[before]?.content ?? null];
    };
    const nothing = (await capture.selection()).status;
    const plain = await select(["#b", 6], ["#c", 4]);
    const mixed = await select(["#a b", 0], ["#b", 5]);
    const draft = await select(["i", 0], ["i", 6]);
    const field = document.querySelector("textarea") as HTMLTextAreaElement;
    getSelection()?.removeAllRanges();
    field.focus();
    field.select();
    return { nothing, plain, mixed, draft, field: (await capture.selection()).status };
  });
  expect(read).toEqual({
    nothing: "empty",
    plain: ["queued", null, "four\n\nfive"],
    mixed: ["queued", null, "two\n\nthree"],
    draft: ["blocked", "page:editable", null],
    field: "empty",
  });
});

test("captures elements, media and custom contexts", async ({ browser }) => {
  await using page =
    await browser.open(`<!doctype html><title>Parts</title><nav>menu</nav><article role="main"><p>Text of it</p><input value="no-value"></article>
    <div class="diary"><p>diary</p></div><figure><img alt="A lamp" width="9" height="9" src="/lamp.png"><figcaption>Fastnet at dusk</figcaption></figure>
    <video title="Flash" src="data:video/mp4;base64,AAAA"></video>`);
  const { sent, denied, field, origin, wrong } = await page.run(async (lab) => {
    const { capture, sent } = lab.open({ selectorDeny: [".diary"] });
    const of = (selector: string) => document.querySelector(selector) as Element;
    await capture.element(of("article"));
    await capture.media(of("img"));
    await capture.media(of("video"));
    await capture.custom("bookmark", { folder: "Lamps", stars: 3, isRead: true }, { content: "Read **this**", contentFormat: "markdown" });
    const wrong = await capture.custom("", {}).catch((error: Error) => error.name);
    return {
      sent,
      wrong,
      denied: await capture.element(of(".diary p")),
      field: await capture.element(of("input")),
      origin: location.origin,
    };
  });
  expect(sent.map(({ type, content, contentFormat, metadata }) => ({ type, content, contentFormat, metadata }))).toEqual([
    { type: "element", content: "Text of it", contentFormat: "markdown", metadata: { element: "article", role: "main" } },
    {
      type: "media",
      content: "A lamp\nFastnet at dusk",
      contentFormat: "text",
      metadata: { mediaKind: "image", mediaUrl: `${origin}/lamp.png` },
    },
    { type: "media", content: "Flash", contentFormat: "text", metadata: { mediaKind: "video", positionSeconds: 0, isPaused: true } },
    {
      type: "custom",
      content: "Read **this**",
      contentFormat: "markdown",
      metadata: { kind: "bookmark", folder: "Lamps", stars: 3, isRead: true },
    },
  ]);
  expect([denied, field]).toMatchObject([
    { status: "blocked", rule: "page:denied" },
    { status: "blocked", rule: "page:field" },
  ]);
  expect(wrong).toBe("TypeError");
});

test("reads addresses without URL.parse, and omits invalid ones", async ({ browser }) => {
  await using page = await browser.open(
    `<!doctype html><title>Lamp</title><link rel="canonical" href="/keeper"><img src="/lamp.png"><img alt="bad" src="http://[">`,
  );
  const { sent, origin } = await page.run(async (lab) => {
    Reflect.deleteProperty(URL, "parse");
    const { capture, sent } = lab.open();
    for (const element of document.images) await capture.media(element);
    (document.querySelector("link") as HTMLLinkElement).setAttribute("href", "http://[");
    await capture.page();
    return { sent, origin: location.origin };
  });
  const canonicalUrl = `${origin}/keeper`;
  expect(sent.map(({ metadata }) => metadata)).toEqual([
    { canonicalUrl, mediaKind: "image", mediaUrl: `${origin}/lamp.png` },
    { canonicalUrl, mediaKind: "image" },
    {},
  ]);
});

const article = `<!doctype html><title>Mail of jo@example.org</title><style>.off{display:none}</style><body><nav><a href="/">no-menu</a></nav><article><h1>Lamp</h1>${"<p>The keeper lights the lamp at dusk, and <b>the lens</b> throws its light far out over the sea, as it has done for years.</p>".repeat(8)}
  <p class="off">no-hidden text that is long enough to be a paragraph of this article, and is not shown to anyone.</p><p>Write to <input value="no-value"> the keeper.</p></article>`;

test("the article of a page, or all of it; who wrote it, when and where", async ({ browser }) => {
  const facts = `<meta name="author" content="Ada Keeper"><meta property="article:published_time" content="2026-01-31"><meta property="og:site_name" content="Lamps">`;
  await using page = await browser.open(article.replace("<title>", `${facts}<title>`));
  const read = await page.run(async (lab) => {
    const read = [];
    for (const whole of [false, true]) {
      const preview = await lab.open().capture.explain({ type: "page", whole });
      if (preview.status !== "ready") throw new Error(preview.status);
      read.push({
        title: preview.context.title,
        content: preview.context.content ?? "",
        metadata: preview.context.metadata,
      });
    }
    return read;
  });
  expect(read.map(({ content }) => content.includes("no-menu"))).toEqual([false, true]);
  for (const { content, metadata, title } of read) {
    expect(title).toBe("Mail of [REDACTED:email]");
    expect(content).not.toMatch(/no-hidden|no-value/);
    expect(content).toContain("the lens throws its light far out over the sea, as it has done for years.\n\nThe keeper");
    expect(metadata).toMatchObject({ byline: "Ada Keeper", publishedTime: "2026-01-31", siteName: "Lamps" });
  }
  expect(read.map(({ content }) => content.includes("no-menu"))).toEqual([false, true]);
});

test("reads all of a long article in slices, and no menus", async ({ browser }) => {
  const paragraphs = Array.from(
    { length: 400 },
    (_, index) => `Night ${index}: the keeper lights the lamp at dusk, and its light is far out over the sea.`,
  );
  const menu = "<ul><li><a href=/a>menu one</a><li><a href=/b>menu two</a></ul>";
  const body = paragraphs.map((text) => `<p>${text}</p>`).join("");
  await using page = await browser.open(
    `<!doctype html><title>Nights</title><nav>${menu}</nav><aside>${menu}</aside><article>${body}</article><footer>${menu}</footer>`,
  );
  const { content, turns } = await page.run(async (lab) => {
    let turns = 0;
    const pause = async () => {
      turns += 1;
      return 8;
    };
    const { capture, sent } = lab.open({ host: { ...lab.ticking(1), pause } });
    await capture.page();
    return { content: sent[0]?.content, turns };
  });
  expect(content?.split("\n\n")).toEqual(paragraphs);
  expect(turns).toBeGreaterThan(5);
});

test("writes headings, lists, links, fenced code, and a table row on each line", async ({ browser }) => {
  await using page = await browser.open(`<!doctype html><title>Marks</title><h2>Lamp_of <b>Fast</b>net</h2>
    <ol start="3"><li>one<ul><li>a<li>b</ul><li>two</ol><p>Paid 4111 <b>1111</b> <i>1111</i> 1111 for <a href="/lamp">a <b>lamp</b></a>, <a href="#part">see</a>.</p>
    <pre class="language-ts"><code><span style="display:block">const a = 1;</span><span style="display:block">  const b = 2;</span></code></pre>
    <pre>first<br>second\n\`\`\`</pre>
    <table><tr><th>Name<th>Light</tr><tr><td>Fastnet<td><p>5 s</p></tr><tr><td colspan=2>a | b</tr></table>
    <table><tr><th>Sea<td><a href="/sea_(north)">North</a></tr><tr><th>Crew<td><ul><li>Ada</li><li>Jo</li></ul></tr><tr><th>Built<td>1854</tr></table>
    <table role="presentation"><tr><td><h3>Left</h3></td><td>Right</td></tr></table><blockquote><p>So it is.</p></blockquote>`);
  const content = await page.run(async (lab) => {
    const { capture, sent } = lab.open();
    await capture.page({ whole: true });
    return sent[0]?.content.split("\n\n");
  });
  expect(content).toEqual([
    "## Lamp_of Fastnet",
    "3. one\n   - a\n   - b\n4. two",
    `Paid 4111 1111 1111 1111 for [a lamp](${browser.origin}/lamp), see.`,
    "```ts\nconst a = 1;\n  const b = 2;\n```",
    "````\nfirst\nsecond\n```\n````",
    "| Name | Light |\n| --- | --- |\n| Fastnet | 5 s |\n| a \\| b |  |",
    `| Sea | [North](${browser.origin}/sea_%28north%29) |\n| --- | --- |\n| Crew | Ada; Jo |\n| Built | 1854 |`,
    "### Left",
    "Right",
    "> So it is.",
  ]);
});

test("refuses an invalid selector and impossible limits", async ({ browser }) => {
  await using page = await browser.open(article);
  const refused = await page.run(async (lab) =>
    [{ selectorDeny: [".a, "] }, { selectorDeny: ["]"] }, { contentBytesMax: 0 }, { timeoutMs: 0 }].map((options) => {
      try {
        lab.open(options);
        return "taken";
      } catch (error) {
        return (error as Error).name;
      }
    }),
  );
  expect(refused).toEqual(["TypeError", "TypeError", "TypeError", "TypeError"]);
});
