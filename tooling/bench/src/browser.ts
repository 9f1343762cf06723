import { join } from "node:path";
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
  const session = await page.createCDPSession();
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
  const options = { contextId, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
    expression: `${program}; (async () => await (${expression}))()`,
    ...options,
  });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
