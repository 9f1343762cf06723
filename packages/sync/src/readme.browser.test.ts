import { expect, test } from "vitest";
import { readmeBrowser } from "../test/readme-browser.js";
import { readReadme } from "../test/readme-snippets.js";

const patience = { timeout: 45_000 };

test("the README's programs run where they belong: in workers, content scripts and pages of an extension", async () => {
  const { ts, js, manifest } = await readReadme();
  const find = (programs: string[], part: string) => programs.find((code) => code.includes(part)) ?? "";
  const background = find(ts, "createContextSync");
  const content = { "content.js": find(js, ".record()"), "preview.js": find(js, "explain(") };
  // The pages here have no certificate.
  const scripts = { content_scripts: ["content", "preview"].map((name) => ({ matches: [`http://${name}.test/*`], js: [`${name}.js`] })) };
  const { host_permissions: _, ...withoutHosts } = manifest;
  await using browser = await readmeBrowser([
    { manifest: { ...manifest, ...scripts, name: "sync" }, background, content, popup: find(ts, "connectContextSync") },
    { manifest: { ...manifest, content_scripts: [], name: "queue" }, background: find(ts, "createQueue") },
    {
      manifest: { ...withoutHosts, content_scripts: [{ matches: ["http://locked.test/*"], js: ["content.js"] }], name: "locked" },
      background,
      content: { "content.js": content["content.js"] },
      popup: find(ts, "connectContextSync"),
    },
  ]);
  const { context, service, said, port } = browser;
  const saidBy = (name: string) => said.filter(({ extension }) => extension === name).map(({ words }) => words);
  const kept = () =>
    [...service.stored.values()].flatMap(({ json }) => {
      const { type, url, content } =
        (JSON.parse(json) as { payload: { context?: { type: string; url: string; content: string } } }).payload.context ?? {};
      return type === "page" ? [[url, content]] : [];
    });

  // Workers.
  await expect.poll(() => saidBy("sync"), patience).toEqual([[{ status: "blocked", rule: "blocked-site" }], [0]]);
  await expect
    .poll(() => saidBy("queue").filter(([first]) => typeof first !== "object"), patience)
    .toEqual([["queued"], [1, "empty", null]]);
  expect(kept()).toEqual([["https://example.com/keeper", "The keeper lights the lamp at dusk."]]);

  // A page of the extension.
  const idOf = (name: string) => said.find(({ extension }) => extension === name)?.id ?? "";
  const popup = await context.newPage();
  await popup.goto(`chrome-extension://${idOf("sync")}/popup.html`);
  await expect.poll(() => saidBy("sync").slice(2), patience).toEqual([[0, "no error"]]);

  // Content scripts: a page, and where it moves to without a new document.
  const page = await context.newPage();
  await page.goto(`http://content.test:${port}/lamp`);
  const lamp = "# Lamp\n\nThe keeper lights the lamp.";
  await expect.poll(() => kept().slice(1), patience).toEqual([[`http://content.test:${port}/lamp`, lamp]]);
  await page.evaluate(() => {
    history.pushState(null, "", "/tower");
    document.querySelector("p")?.replaceChildren("The tower stands.");
  });
  await expect.poll(() => kept().slice(2), patience).toEqual([[`http://content.test:${port}/tower`, "# Lamp\n\nThe tower stands."]]);
  await page.goto(`http://preview.test:${port}/lamp`);
  await expect
    .poll(() => saidBy("sync").slice(3), patience)
    .toEqual([["# Lamp\n\nThe keeper lights the lamp.\n\nDear diary", "private", {}]]);

  // Without access to the server nothing is lost, and the status says what is missing.
  await page.goto(`http://locked.test:${port}/lamp`);
  await expect
    .poll(
      async () => {
        await popup.goto(`chrome-extension://${idOf("locked")}/popup.html`);
        return saidBy("locked").at(-1)?.[1];
      },
      { ...patience, interval: 1_000 },
    )
    .toContain(`The extension has no access to http://127.0.0.1:${port}/*: add it to \`host_permissions\``);
  expect(kept()).toHaveLength(3);
});
