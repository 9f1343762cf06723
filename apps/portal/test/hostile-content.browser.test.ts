import { expect } from "vitest";
import { sendPages } from "./contexts.ts";
import { test } from "./portal-test.ts";

const attack = `<img src="https://evil.example/x.png" onerror="document.title='owned'"><script>document.title='owned'</script>`;
const markdown = [
  "# Hostile",
  attack,
  "![picture](https://evil.example/pixel.png)",
  "[link](javascript:document.title='owned')",
  '<a href="https://evil.example" onclick="document.title=\'owned\'" style="position:fixed;inset:0">over all</a>',
  "<style>body{display:none}</style><iframe src=https://evil.example></iframe><form action=https://evil.example><button>Send</button></form>",
  "<svg onload=document.title='owned'></svg>",
  "the end",
].join("\n\n");

test("shows hostile titles and contents as text, and asks no other host for anything", async ({ portal, chromium }) => {
  await sendPages(portal, [
    { id: "md", title: attack, content: markdown, contentFormat: "markdown" },
    { id: "html", title: "HTML", content: `<p>the end</p>${attack}`, contentFormat: "html" },
    { id: "text", title: "javascript:alert(1)", url: "https://evil.example/'onclick='x", content: `${attack} the end` },
  ]);
  const page = await chromium.open(`${portal.origin}/sign-in`, { cookie: portal.cookie });
  const asked = new Set<string>();
  const complaints: string[] = [];
  page.on("request", (request) => void asked.add(new URL(request.url()).origin));
  page.on("pageerror", (error) => void complaints.push(String(error)));
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  for (const [path, text] of [
    ["/", "Recent pages"],
    ["/explore?query=end", "3 contexts"],
    ["/contexts/md", "the end"],
    ["/contexts/html", "the end"],
    ["/contexts/text", "the end"],
  ] as const) {
    await page.goto(portal.origin + path);
    await page.waitForSelector(`main ::-p-text(${text})`);
    expect(await page.title()).not.toBe("owned");
    const found = await page.$$eval(
      "main :is(img, iframe, script, style, form, svg[onload], [onclick], [onerror], a[href^='javascript:'])",
      (all) => all.map((element) => element.outerHTML),
    );
    expect(found).toEqual([]);
  }
  expect([...asked]).toEqual([portal.origin]);
  expect(complaints).toEqual([]);
});

test("shows text that its Markdown parser fails at, or takes hours for, as it stands", async ({ portal, chromium }) => {
  const texts = {
    deep: ">".repeat(2_500),
    slow: "_a__".repeat(250_000),
    nested: Array.from({ length: 990 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n"),
  };
  await sendPages(
    portal,
    Object.entries(texts).map(([id, content]) => ({ id, title: id, content, contentFormat: "markdown" })),
  );
  const page = await chromium.open(`${portal.origin}/sign-in`, { cookie: portal.cookie });
  for (const [id, content] of Object.entries(texts)) {
    await page.goto(`${portal.origin}/contexts/${id}`);
    await page.waitForSelector("main .prose");
    expect(await page.$eval("main .prose", (text) => text.textContent.slice(0, 100))).toBe(content.slice(0, 100));
  }
});

test("answers its pages with headers that keep other sites out", async ({ portal }) => {
  const response = await fetch(`${portal.origin}/explore`);
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  const html = await response.text();
  expect(html).not.toMatch(/<script(?![^>]* src=)|https?:\/\//);
});
