import { waitUntil, within } from "@periscope/harness/wait-until";
import type { GoToOptions, Page } from "puppeteer-core";
import type { PageOrder } from "../../extension/sync/content.ts";
import { fileAt } from "../pages.ts";
import { forgetTurns } from "./raw-data.ts";
import { type Stage, testOn } from "./stage.ts";

/** `test` with the library's background and content entries, on a site of real pages. */
export const test = testOn("sync", {
  fileAt,
  async restore(stage) {
    await becomeEmpty(stage);
    // The next row need not wait for its site's turn.
    await forgetTurns(stage.panel);
  },
})
  /** Opens a page of the site. */
  .extend("visit", ({ stage }) => async (path: string, options?: GoToOptions): Promise<Page> => {
    return await stage.browser.visit(`${stage.site.origin}${path}`, options);
  })
  /** Contexts of the site that are stored since the beginning of the row, in order of arrival. */
  .extend("since", ({ stage }) => {
    const { oracle, site } = stage;
    const before = new Set(oracle.contexts().map(({ contextId }) => contextId));
    return () => oracle.contexts().filter(({ url, contextId }) => url.startsWith(site.origin) && !before.has(contextId));
  })
  /** Waits until nothing waits, without doing anything for it. */
  .extend(
    "empty",
    ({ stage }) =>
      () =>
        becomeEmpty(stage),
  );

async function becomeEmpty(stage: Stage): Promise<void> {
  const status = () => stage.panel.evaluate(() => window.sync.status()).catch(() => undefined);
  await waitUntil("An empty queue", async () => (await status())?.waiting === 0);
}

/** What the content script of a page makes of an order. */
export async function captureIn(page: Page, order: PageOrder): Promise<unknown> {
  const asked = page.evaluate(
    (order) =>
      new Promise<string>((resolve) => {
        document.addEventListener("e2e:done", (event) => resolve((event as CustomEvent<string>).detail), { once: true });
        document.dispatchEvent(new CustomEvent("e2e:do", { detail: JSON.stringify(order) }));
      }),
    order,
  );
  return JSON.parse(await within(`The capture of ${JSON.stringify(order)}`, asked));
}
