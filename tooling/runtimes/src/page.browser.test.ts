import { startBrowser } from "@periscope/harness/portal";
import { startServer } from "@periscope/harness/server";
import { startSite } from "@periscope/harness/site";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { startFaultyService } from "./faulty-service.ts";
import type { TrialOptions, TrialReport } from "./trial.ts";

test("the built client keeps its promises in a page of Chromium, over CORS", async () => {
  // As the builder of a site would bundle it.
  const { outputFiles } = await build({
    stdin: { contents: 'import { runTrial } from "./trial.ts"; window.runTrial = runTrial;', resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
  });
  const script = outputFiles[0]?.text.replaceAll("</", "<\\/") ?? "";
  await using site = await startSite(() => ({ type: "text/html", text: `<!doctype html><script type="module">${script}</script>` }));
  await using faulty = await startFaultyService();
  await using server = await startServer({ environment: { CORS_ORIGINS: site.origin } });
  await using browser = await startBrowser();
  const page = await browser.open(site.origin);
  const options: TrialOptions = { baseUrl: server.baseUrl, key: server.key, faultyUrl: faulty.origin };
  const report = await page.evaluate(
    async (given) => await (window as unknown as { runTrial(options: TrialOptions): Promise<TrialReport> }).runTrial(given),
    options,
  );
  expect(Object.keys(report).length).toBeGreaterThan(8);
  expect(Object.entries(report).filter(([, problem]) => problem !== null)).toEqual([]);
});
