import type { Browser } from "puppeteer-core";

/** Sends a command of WebDriver BiDi. */
export type Send = (method: string, params: object) => Promise<any>;

/** The line of a browser that puppeteer drives: it has no names for pages of extensions, nor for the browser's own windows. */
export function sendOf(browser: Browser): Send {
  const { connection } = browser as unknown as { connection: { send(method: string, params: object): Promise<{ result: unknown }> } };
  return async (method, params) => (await connection.send(method, params)).result;
}

/** What a function that runs in the browser may be given, and give back. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain };

/** Runs a function in a page or a window; it may use nothing of the test. What it returns comes back as JSON has it. */
export async function runIn<Given extends readonly Plain[], T>(
  send: Send,
  context: string,
  script: (...given: Given) => T | Promise<T>,
  given: Given,
): Promise<T> {
  const answer = await send("script.evaluate", {
    expression: `(async () => JSON.stringify(await (${String(script)})(...${JSON.stringify(given)})) ?? "null")()`,
    target: { context },
    awaitPromise: true,
  });
  if (answer.type !== "success") throw new Error(`${answer.exceptionDetails.text}\n${String(script)}`);
  return JSON.parse(answer.result.value) as T;
}
