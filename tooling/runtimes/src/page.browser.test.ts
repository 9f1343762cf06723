import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startServer } from "@periscope/harness/server";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { expect, test } from "vitest";
import { startFaultyService } from "./faulty-service.ts";
import type { TrialOptions, TrialReport } from "./trial.ts";

const chromiumPath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

/** A site of its own origin whose one page has the trial of the built client, bundled as a site's builder would. */
async function startSite() {
  const { outputFiles } = await build({
    stdin: { contents: 'import { runTrial } from "./trial.ts"; window.runTrial = runTrial;', resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
  });
  const script = outputFiles[0]?.text ?? "";
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html").end(`<!doctype html><script type="module">${script.replaceAll("</", "<\\/")}</script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("the built client keeps its promises in a page of Chromium, over CORS", async () => {
  await using data = await temporaryDirectory("periscope-page-");
  await using site = await startSite();
  await using faulty = await startFaultyService();
  await using server = await startServer({ dataDir: data.path, environment: { CORS_ORIGINS: site.origin } });
  // Waited for as long as the test may take: the limit is its own.
  await using browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"], timeout: 100_000 });
  const page = await browser.newPage();
  page.setDefaultTimeout(100_000);
  await page.goto(site.origin);
  const options: TrialOptions = { baseUrl: server.baseUrl, key: server.key, faultyUrl: faulty.url };
  const report = await page.evaluate(
    async (given) => await (window as unknown as { runTrial(options: TrialOptions): Promise<TrialReport> }).runTrial(given),
    options,
  );
  expect(Object.keys(report).length).toBeGreaterThan(8);
  expect(Object.entries(report).filter(([, problem]) => problem !== null)).toEqual([]);
});
