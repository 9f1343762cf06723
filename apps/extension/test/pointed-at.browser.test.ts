import { hangMs } from "@periscope/harness/chromium";
import { expect, test } from "vitest";
import { ask } from "./ask-server.ts";
import { choose, shown, watchButton } from "./asked.ts";
import { connect, startStage } from "./connected.ts";
import { keeper } from "./local-site.ts";

const patience = { timeout: hangMs };
const parts = `<title>Parts</title><p id="wick">The wick is of cotton.</p><div id="lamp"></div><iframe src="/keeper"></iframe>
<script>document.querySelector("#lamp").attachShadow({ mode: "open" }).innerHTML = "<p>Of glass.</p><p class='brass'>Of brass.</p>";</script>`;

test("records the part that was pointed at, and nothing in place of one that was not seen", async () => {
  await using stage = await startStage({ "/parts": parts, "/keeper": keeper });
  const { chromium, server, site } = stage;
  await connect(chromium, server);
  const page = await chromium.newPage();
  await page.goto(`${site.url}/parts`);
  await page.bringToFront();
  await watchButton(chromium);
  const outcomes = async () => (await shown(chromium, "title")).filter((title) => title !== "Periscope: recording");
  const expected: unknown[] = [];
  const says = async (part: string) => {
    expected.push(expect.stringContaining(part));
    await expect.poll(outcomes, patience).toEqual(expected);
  };

  // As when the recorder came after the press.
  await choose(chromium, { menuItemId: "element", frameId: 0 });
  await says("nothing was found");

  await page.click("#wick", { button: "right" });
  await choose(chromium, { menuItemId: "element", frameId: 7 });
  await says("in a frame");

  // What is selected in the page itself is another thing.
  await page.$eval("#wick", (wick) => globalThis.getSelection()?.selectAllChildren(wick));
  const frame = page.frames().find((each) => each.url().endsWith("/keeper"));
  await frame?.click("h1");
  await choose(chromium, "command");
  await says("nothing was found");

  await page.click(">>> .brass", { button: "right" });
  await choose(chromium, { menuItemId: "element", frameId: 0 });
  await says("recorded");

  await page.click("#wick", { button: "right" });
  await page.$eval("#wick", (wick) => wick.remove());
  await choose(chromium, { menuItemId: "media", frameId: 0, srcUrl: "https://elsewhere.example/lamp.png" });
  await says("nothing was found");

  const kept = async () => {
    const { contexts } = (await ask(server, "/context/history")).body as { contexts: { contextId: string; type: string }[] };
    const asked = contexts.filter(({ type }) => type !== "page" && type !== "navigation");
    const wholes = await Promise.all(asked.map(async ({ contextId }) => (await ask(server, `/context/${contextId}`)).body));
    return wholes.map(({ type, content }: { type: string; content: string }) => [type, content]);
  };
  await expect.poll(kept, patience).toEqual([["element", "Of brass."]]);
});
