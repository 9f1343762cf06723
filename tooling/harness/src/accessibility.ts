import axe, { type AxeResults, type RunOptions } from "axe-core";
import type { Page } from "puppeteer-core";

/** Rules that look at colours. All others find the same in both themes. */
const colorRules = ["color-contrast", "link-in-text-block"];

/** What axe finds wrong with a page as it is now, by rule and element; in light and in dark. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // Compiled anew, it takes as long as its search.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const problems: string[] = [];
  for (const scheme of ["light", "dark"]) {
    // A colour on its way to another one would be judged.
    await page.emulateMediaFeatures([
      { name: "prefers-color-scheme", value: scheme },
      { name: "prefers-reduced-motion", value: "reduce" },
    ]);
    // No rule that is on reads style sheets, which axe would load once more.
    const options: RunOptions = {
      resultTypes: ["violations"],
      preload: { assets: ["media"] },
      ...(scheme === "dark" && { runOnly: colorRules }),
    };
    const found = await page.evaluate(async (chosen) => {
      const inPage = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
      const { violations } = await inPage.axe.run(chosen);
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    }, options);
    problems.push(...found.map((problem) => `${scheme}: ${problem}`));
  }
  return problems;
}

/** What Tab reaches, from the top of a page until it comes around; each as an id or a text. */
export async function tabOrder(page: Page): Promise<string[]> {
  const order: string[] = [];
  await page.evaluate(() => {
    // Tab goes on from where an element with the focus was removed.
    const top = document.createElement("span");
    top.tabIndex = -1;
    document.body.prepend(top);
    top.focus();
    top.remove();
  });
  for (let step = 0; step < 100; step += 1) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(nameOfFocused);
    if (name === "" || name === order[0]) break;
    order.push(name);
  }
  return order;
}

/** What is to be reached by Tab: every control that can be seen, of radio buttons the one that is chosen, of what arrows go through one. */
export async function controls(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const all = document.querySelectorAll<HTMLElement>(
      "button, input, select, textarea, a[href], summary, [tabindex='0']:not([role=tablist], [role=radiogroup], [role=group])",
    );
    // A group hands the focus on to its control.
    const isReachable = (element: HTMLElement) =>
      element.checkVisibility() &&
      element.tabIndex >= 0 &&
      !element.matches(":disabled") &&
      !element.matches("input[type=radio]:not(:checked)");
    return [...all].filter(isReachable).map((element) => element.id || element.ariaLabel || element.textContent.trim());
  });
}

function nameOfFocused(): string {
  const element = document.activeElement;
  return element === null || element === document.body ? "" : element.id || element.ariaLabel || element.textContent.trim();
}
