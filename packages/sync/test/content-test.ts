import { test as plain } from "vitest";
import { contentBrowser } from "./content-page.js";

// Vitest reads what a fixture needs from its first parameter, also when that is nothing.
/* oxlint-disable no-empty-pattern */

/** `test` with the browser and the site of the worker: to start them takes longer than most tests. */
export const test = plain.extend("browser", { scope: "worker" }, async ({}, { onCleanup }) => {
  const browser = await contentBrowser();
  onCleanup(() => browser[Symbol.asyncDispose]());
  return browser;
});
