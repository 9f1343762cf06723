import { accessibilityProblems } from "@periscope/harness/accessibility";
import type { Page } from "puppeteer-core";
import { expect } from "vitest";

/** More elements than this make a page slow. */
const elementsMax = 8_000;

/** Of a phone and of a notebook. Pixels. */
const widths = [360, 1_280];

/**
 * Opens pages one after the other, and expects each to show its text, to fit a narrow and a wide window, to be accessible, to raise nothing
 * and to ask no other host.
 * @param paths pages, each with a text that it must show
 * @param expectMore what else is to hold for each page, in the wide window
 */
export async function expectSoundPages(
  page: Page,
  origin: string,
  paths: Readonly<Record<string, string>>,
  expectMore?: (path: string) => Promise<void>,
): Promise<void> {
  const asked = new Set<string>();
  const complaints: string[] = [];
  page.on("request", (request) => void asked.add(new URL(request.url()).origin));
  page.on("pageerror", (error) => void complaints.push(String(error)));
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  for (const [path, text] of Object.entries(paths)) {
    await page.goto(origin + path);
    await page.waitForSelector(`main ::-p-text(${text})`);
    await page.waitForFunction(() => document.querySelector("[aria-label=Loading], .animate-pulse") === null);
    const elements = await page.$$eval("*", (all) => all.length);
    expect({ path, isBounded: elements < elementsMax }).toEqual({ path, isBounded: true });
    for (const width of widths) {
      await page.setViewport({ width, height: 860 });
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: path }).toBe(width);
      expect({ path, width, problems: await accessibilityProblems(page) }).toEqual({ path, width, problems: [] });
    }
    await expectMore?.(path);
  }
  expect([...asked]).toEqual([origin]);
  expect(complaints).toEqual([]);
}
