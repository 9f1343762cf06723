import { hangMs } from "@periscope/harness/chromium";
import type { Page } from "puppeteer-core";

/** The text of what has this id. */
export const textOf = async (page: Page, id: string): Promise<string> => await page.$eval(`#${id}`, (element) => element.textContent ?? "");

/** Waits until what has this id says so. */
export async function has(page: Page, id: string, part: string): Promise<void> {
  const says = (id: string, part: string) => document.getElementById(id)?.textContent?.includes(part);
  await page.waitForFunction(says, { timeout: hangMs }, id, part).catch(async () => {
    throw new Error(`#${id} does not say "${part}", but "${await textOf(page, id)}".`);
  });
}
