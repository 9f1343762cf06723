import { type Browser, TargetType } from "puppeteer-core";
import { expect, test } from "vitest";
import { bundled, readmeBrowser } from "../test/readme-browser.js";
import { refuses } from "../test/testing/index.js";
import { builtWith } from "../test/readme-builds.js";
import { bundlers, readReadme } from "../test/readme-snippets.js";

interface Kept {
  key: string;
  type: string;
  url: string;
  content: string;
}

/** Workers that hear of navigations: an event that comes before they listen is lost. */
async function listening(chromium: Browser): Promise<number> {
  const script = "chrome.webNavigation?.onCommitted.hasListeners() ?? false";
  const workers = chromium.targets().filter((target) => target.type() === TargetType.SERVICE_WORKER);
  const answers = await Promise.all(workers.map(async (target) => await (await target.worker())?.evaluate(script)));
  return answers.filter(Boolean).length;
}

/** Pages that the service has. */
const pagesOf = (stored: ReadonlyMap<string, { json: string; key: string }>): Kept[] =>
  [...stored.values()].flatMap(({ json, key }) => {
    const { context } = (JSON.parse(json) as { payload: { context?: Omit<Kept, "key"> } }).payload;
    return context?.type === "page" ? [{ ...context, key }] : [];
  });

test("the first extension has fewer than 25 lines", async () => {
  const { files } = await readReadme();
  const lines = ["manifest.json", "background.ts", "content.js"].flatMap((name) => files.get(name)?.trim().split("\n") ?? []);
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => line.trim() !== "" && !line.startsWith("//")).length).toBeLessThan(25);
});

test("builds the first extension with each bundler, and it records a page", async () => {
  const readme = await readReadme();
  await using browser = await readmeBrowser(bundlers.map((bundler) => builtWith(readme, bundler)));
  const { chromium, service, port } = browser;
  await expect.poll(() => listening(chromium)).toBe(bundlers.length);
  const url = `http://first.test:${port}/lamp`;
  await browser.open(url);
  const lamp = "# Lamp\n\nThe keeper lights the lamp.\n\nDear diary";
  const sent = () => Object.fromEntries(pagesOf(service.stored).map(({ key, ...kept }) => [key, [kept.url, kept.content]]));
  await expect.poll(sent).toEqual(Object.fromEntries(bundlers.map((bundler) => [`psk_${bundler}`, [url, lamp]])));
});

test("the first extension warns in its console about a wrong key", async () => {
  const { files } = await readReadme();
  const of = (name: string) => files.get(name) ?? "";
  const first = { manifest: JSON.parse(of("manifest.json")), background: of("background.ts"), content: { "content.js": of("content.js") } };
  await using browser = await readmeBrowser([bundled(first)]);
  const { chromium, service, said, port } = browser;
  service.always = refuses(401, "unauthorized");
  await expect.poll(() => listening(chromium)).toBe(1);
  await browser.open(`http://first.test:${port}/lamp`);
  await expect.poll(() => said.map(({ words }) => words)).toEqual([[expect.stringContaining("The key was refused (401 unauthorized)")]]);
});

test("runs the README's other programs in workers, scripts and pages", async () => {
  const { ts, files } = await readReadme();
  const find = (part: string) => ts.find((code) => code.includes(part)) ?? "";
  const manifest = JSON.parse(files.get("manifest.json") ?? "") as Record<string, unknown>;
  const background = files.get("background.ts") ?? "";
  const popup = find("connectContextSync");
  const { host_permissions: _, ...withoutHosts } = manifest;
  const scripts = { content_scripts: [{ matches: ["http://preview.test/*"], js: ["preview.js"] }] };
  await using browser = await readmeBrowser([
    bundled({
      manifest: { ...manifest, ...scripts, name: "sync" },
      background,
      content: { "preview.js": files.get("preview.js") ?? "" },
      popup,
    }),
    bundled({ manifest: { ...manifest, content_scripts: [], name: "queue" }, background: find("createQueue") }),
    bundled({ manifest: { ...withoutHosts, content_scripts: [], name: "locked" }, background, popup }),
  ]);
  const { chromium, service, said, port } = browser;
  const saidBy = (name: string) => said.filter(({ extension }) => extension === name).map(({ words }) => words);
  const open = async (name: string) => {
    const { id = "" } = said.find(({ extension }) => extension === name) ?? {};
    await browser.open(`chrome-extension://${id}/popup.html`);
  };

  await expect.poll(() => saidBy("queue")).toEqual([["queued"], [1, "empty", null]]);
  expect(pagesOf(service.stored)).toMatchObject([{ url: "https://example.com/keeper", content: "The keeper lights the lamp at dusk." }]);

  // Of the two that record.
  await expect.poll(() => listening(chromium)).toBe(2);
  await browser.open(`http://preview.test:${port}/lamp`);
  await expect.poll(() => saidBy("sync")).toEqual([["# Lamp\n\nThe keeper lights the lamp.", "private", { denied: 1 }]]);
  await open("sync");
  await expect
    .poll(() =>
      saidBy("sync")
        .slice(1)
        .map(([, error]) => error),
    )
    .toEqual(["no error"]);

  // Without access to the server nothing is lost, and the console and the status say what is missing.
  const missing = expect.stringContaining('Add "http://127.0.0.1/*" to `host_permissions` in the manifest') as string;
  await expect.poll(() => saidBy("locked").map(([words]) => words)).toEqual([missing]);
  await open("locked");
  await expect.poll(() => saidBy("locked").at(-1)?.[1]).toEqual(missing);
});
