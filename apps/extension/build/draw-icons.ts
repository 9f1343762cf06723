import { readFile, writeFile } from "node:fs/promises";
import { launchChromium } from "@periscope/harness/chromium";

// Draws static/icons/*.png from art/icon.svg: Chromium takes no other kind.

const svg = await readFile(new URL("../art/icon.svg", import.meta.url), "utf8");
const browser = await launchChromium();
try {
  const page = await browser.newPage();
  for (const size of [16, 32, 48, 128]) {
    await page.setViewport({ width: size, height: size });
    await page.setContent(`<style>html,body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`);
    await writeFile(new URL(`../static/icons/${size}.png`, import.meta.url), await page.screenshot({ omitBackground: true }));
  }
} finally {
  await browser.close();
}
