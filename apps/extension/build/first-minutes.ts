import { writeFile } from "node:fs/promises";
import { startPortal } from "@periscope/harness/portal";
import { walkFirstMinutes } from "../test/first-minutes.ts";
import { startSite } from "../test/local-site.ts";
import { startChromium } from "./chromium.ts";

// Takes docs/images/first-*.png of the first five minutes, with a real server at its usual address.
// Afterwards, `pngquant --strip --force --ext .png` makes them less than half as large.

const images = new URL("../../../docs/images/", import.meta.url);
const title = "How a Fresnel lens bends light";
const style = "body{margin:64px auto;max-width:600px;font:18px/1.7 Georgia,serif;color:#222}h1{font-size:34px;line-height:1.2}";
const article = `<title>${title}</title><style>${style}</style><article><h1>${title}</h1>
<p>A Fresnel lens is cut into rings. Each ring bends light by the same angle as the curve of a thick lens, without its glass.</p>
<h2>Why lighthouses use it</h2><p>A lens of the first order stands 2.6 metres tall. A solid one would weigh tons and swallow most of the light.
The rings send nearly all of it to the horizon.</p><p>The keeper wound the clockwork every four hours, so that the lens could turn.</p></article>`;

await using portal = await startPortal({ environment: { PORT: "3000" } });
await using site = await startSite({ "/fresnel-lens": article });
await using chromium = await startChromium();
const clicks = await walkFirstMinutes({
  portal,
  chromium,
  reading: { url: `${site.url}/fresnel-lens`, title },
  async onStep(name, page) {
    await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
    await writeFile(new URL(`first-${name}.png`, images), await page.screenshot());
  },
});
console.log(`docs/images/first-*.png (${clicks} clicks)`);
