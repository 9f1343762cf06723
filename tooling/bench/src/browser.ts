import { join } from "node:path";
import { evaluateIn } from "@periscope/harness/chromium";
import { build } from "esbuild";
import type { Page } from "puppeteer-core";

/** Bundles `content-page.ts`, which puts the global `program` into a page. */
export async function bundleProgram(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "content-page.ts")],
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    logLevel: "error",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

/** Evaluates an expression in a world beside that of the page's own scripts, where `program` is a global. */
export async function evaluateIsolated(page: Page, program: string, expression: string): Promise<unknown> {
  return await evaluateIn(await page.createCDPSession(), `${program}; (async () => await (${expression}))()`);
}
