import { hangMs } from "@periscope/harness/chromium";
import { freePort } from "@periscope/harness/free-port";
import { startServer } from "@periscope/harness/server";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import { expect, test } from "vitest";
import { connect } from "./firefox/connect.ts";
import { Firefox } from "./firefox/firefox.ts";
import { pages, secrets } from "./firefox/pages.ts";
import { recorded, visitsOf } from "./firefox/recorded.ts";
import { allOnDisk, waiting } from "./firefox/waiting.ts";
import { startSite } from "./local-site.ts";

const patience = { timeout: hangMs };

test("delivers waiting messages once after idling, reload and a kill", async () => {
  await using data = await temporaryDirectory("periscope-extension-");
  // At the same address each time.
  const environment = { PORT: String(await freePort()) };
  const first = await startServer({ dataDir: data.path, environment });
  await using stack = new AsyncDisposableStack();
  const serve = async () => stack.use(await startServer({ dataDir: data.path, environment }));
  await using site = await startSite(pages);
  await using firefox = await Firefox.launch({ idleMs: 2_000 });
  const options = await connect(firefox, first);
  const visit = async (path: string) => await (await firefox.browser.newPage()).goto(site.url + path, patience);

  // Nobody does anything: its own alarm starts the background again.
  await first.stop();
  await visit("/keeper");
  await visit("/sign-in");
  await expect.poll(() => allOnDisk(options), patience).toContain("the ferries find home");
  await expect.poll(() => waiting(options), patience).toBeGreaterThan(1);
  const onDisk = await allOnDisk(options);
  for (const secret of ["4111 1111", ...Object.values(secrets)]) expect(onDisk).not.toContain(secret);
  await options.close();
  await expect.poll(() => firefox.background(), patience).toBe("stopped");
  let running = await serve();
  const visited = visitsOf("/keeper", "");
  await expect.poll(() => recorded(first, site.url), patience).toEqual(visited);

  // Loaded anew, as after an update.
  const popup = await firefox.open("popup.html");
  await expect.poll(() => waiting(popup), patience).toBe(0);
  await running.stop();
  await visit("/cjk");
  await expect.poll(() => allOnDisk(popup), patience).toContain("灯をともす");
  await firefox.reloadExtension();
  running = await serve();
  visited.push(...visitsOf("/cjk"));
  await expect.poll(() => recorded(first, site.url), patience).toEqual(visited.toSorted());

  // Killed with all that it has started.
  const after = await firefox.open("popup.html");
  await expect.poll(() => waiting(after), patience).toBe(0);
  await running.stop();
  await visit("/app");
  await expect.poll(() => allOnDisk(after), patience).toContain(String.raw`\"content\":\"View start\"`);
  await firefox.crash();
  running = await serve();
  await firefox.relaunch();
  visited.push(...visitsOf("/app"));
  await expect.poll(() => recorded(first, site.url), patience).toEqual(visited.toSorted());

  // A private window is closed to it; a visit after that one shows that it had its time.
  const page = await firefox.browser.newPage();
  await firefox.visitPrivately(`${site.url}/diary`);
  await page.goto(`${site.url}/oil`, patience);
  visited.push(...visitsOf("/oil"));
  await expect.poll(() => recorded(first, site.url), patience).toEqual(visited.toSorted());
  const end = await firefox.open("options.html");
  expect(await allOnDisk(end)).not.toContain("/diary");
});
