import axe from "axe-core";
import type { Page } from "puppeteer-core";

/** What axe finds wrong with a page as it is now, by rule and element; in light and in dark. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const problems: string[] = [];
  for (const scheme of ["light", "dark"]) {
    // A colour on its way to another one would be judged.
    await page.emulateMediaFeatures([
      { name: "prefers-color-scheme", value: scheme },
      { name: "prefers-reduced-motion", value: "reduce" },
    ]);
    const found = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } };
      const { violations } = await axe.run();
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    });
    problems.push(...found.map((problem) => `${scheme}: ${problem}`));
  }
  return problems;
}

/** What Tab reaches, from the top of a page until it comes around; each as an id or a text. */
export async function tabOrder(page: Page): Promise<string[]> {
  const order: string[] = [];
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  for (let step = 0; step < 100; step += 1) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(nameOfFocused);
    if (name === "" || name === order[0]) break;
    order.push(name);
  }
  return order;
}

/** What is to be reached by Tab: every control that can be seen, of radio buttons the one that is chosen. */
export async function controls(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const all = document.querySelectorAll<HTMLElement>("button, input, select, a[href], summary, [tabindex='0']");
    const isReachable = (element: HTMLElement) =>
      element.checkVisibility() && !element.matches(":disabled") && !element.matches("input[type=radio]:not(:checked)");
    return [...all].filter(isReachable).map((element) => element.id || element.ariaLabel || element.textContent.trim());
  });
}

function nameOfFocused(): string {
  const element = document.activeElement;
  return element === null || element === document.body ? "" : element.id || element.ariaLabel || element.textContent.trim();
}
