import type { Page } from "puppeteer-core";
import type { Firefox } from "./firefox.ts";

/** Opens the menu over an element and chooses the extension's entry in it; returns what that says. */
export async function chooseInMenu(firefox: Firefox, page: Page, selector: string): Promise<string> {
  await page.click(selector, { button: "right" });
  return await firefox.inBrowser(async () => {
    const menu = (globalThis as any).document.getElementById("contentAreaContextMenu");
    while (menu.state !== "open") await new Promise((resolve) => setTimeout(resolve, 50));
    const [entry, ...others] = [...menu.querySelectorAll("menuitem[id^='periscope']")];
    if (entry === undefined || others.length > 0) throw new Error(`The menu has ${others.length + 1} entries of the extension, or none.`);
    const { label } = entry;
    menu.activateItem(entry);
    // A press while it closes would be taken for one that closes it.
    while (menu.state !== "closed") await new Promise((resolve) => setTimeout(resolve, 50));
    return label as string;
  });
}
