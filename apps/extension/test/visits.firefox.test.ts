import { createPdf } from "@periscope/harness/pdf";
import { startServer } from "@periscope/harness/server";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import { expect, test } from "vitest";
import { hangMs } from "@periscope/harness/chromium";
import { connect } from "./firefox/connect.ts";
import { Firefox } from "./firefox/firefox.ts";
import { chooseInMenu } from "./firefox/menu.ts";
import { pages, secrets } from "./firefox/pages.ts";
import { contextsOf, recorded, visitsOf } from "./firefox/recorded.ts";
import { startSite } from "./local-site.ts";

const patience = { timeout: hangMs };

test("records visits once, and selections, pages and forms on request", async () => {
  await using data = await temporaryDirectory("periscope-extension-");
  await using server = await startServer({ dataDir: data.path });
  await using site = await startSite({ ...pages, "/lamps.pdf": createPdf("Lamps", "Paid with card 4111 1111 1111 1111 in spring.") });
  await using firefox = await Firefox.launch();
  const { browser } = firefox;
  const registered = async () => (await chrome.scripting.getRegisteredContentScripts()).map(({ id }) => id).toSorted();

  const welcome = await firefox.tab("welcome.html");
  expect(await welcome.run(registered)).toEqual([]);
  const options = await connect(firefox, server);
  for (const wanted of ["capture-form", "reads-pdfs"]) await options.press(wanted);
  await expect.poll(() => options.run(registered), patience).toEqual(["recorder"]);
  const settings = () => options.run(async () => JSON.stringify(await chrome.storage.local.get("settings")));
  for (const part of ['"form":true', '"readsPdfs":true']) await expect.poll(settings, patience).toContain(part);

  // Each in a tab of its own. A page with a filled password is one of which only the origin is kept.
  const open = async (path: string) => {
    const page = await browser.newPage();
    page.setDefaultTimeout(hangMs);
    await page.goto(site.url + path);
    return page;
  };
  await open("/keeper");
  await open("/cjk");
  const signIn = await open("/sign-in");
  const app = await open("/app");
  const visited = visitsOf("/keeper", "/cjk", "", "/app");
  await expect.poll(() => recorded(server, site.url), patience).toEqual(visited);
  await app.evaluate(() => {
    for (const turn of ["1", "2", "3"]) {
      history.pushState({}, "", `/app/${turn}`);
      (window as unknown as { show(name: string): void }).show(turn);
    }
  });
  const parts = await open("/parts");
  await open("/lamps.pdf");
  await parts.bringToFront();
  visited.push(...visitsOf("/app/3", "/parts", "/lamps.pdf"));
  await expect.poll(() => recorded(server, site.url), patience).toEqual(visited.toSorted());

  expect(await chooseInMenu(firefox, parts, "#picture")).toContain("picture");
  expect(await chooseInMenu(firefox, parts, "h1")).toContain("this part");
  await parts.evaluate(() => getSelection()?.selectAllChildren(document.querySelector("#wick")!));
  expect(await chooseInMenu(firefox, parts, "#wick")).toContain("selected text");
  visited.push("media /parts", "element /parts", "selection /parts");
  await expect.poll(() => recorded(server, site.url), patience).toEqual(visited.toSorted());
  for (const page of [parts, signIn]) await page.click("form button");
  visited.push("form /parts", "form ");
  await expect
    .poll(async () => (await recorded(server, site.url)).filter((each) => !each.includes("/thanks")), patience)
    .toEqual(visited.toSorted());

  // The popup under its button, over the page in front.
  await parts.goto(`${site.url}/keeper`);
  await options.run(async () => await chrome.action.openPopup());
  const popup = async () =>
    await options.run(() => {
      const [view] = chrome.extension.getViews({ type: "popup" });
      const shown = view?.document;
      if (shown?.body?.dataset["ready"] === "" && shown.querySelector("#removed") === null)
        shown.querySelector<HTMLElement>("#preview[aria-expanded=false]")?.click();
      return shown?.body?.textContent ?? "";
    });
  await expect.poll(popup, patience).toContain("card: 1");
  await expect.poll(popup, patience).toContain("Stored");
  expect(await popup()).not.toContain("4111");

  const contexts = await contextsOf(server, site.url);
  const of = (type: string, path: string) => contexts.find((each) => each.type === type && each.url === site.url + path);
  expect(of("page", "/keeper")).toMatchObject({ title: "The keeper of the lighthouse", privacyLevel: "private" });
  expect(of("page", "/keeper")?.content).toBe(
    "# The keeper\n\nAt dusk she lights the lamp; the ferries find home.\n\nPaid with card [REDACTED:card] in spring.",
  );
  expect(of("page", "/cjk")).toMatchObject({
    title: "灯台守",
    content: expect.stringMatching(/^灯台守は夕暮れに灯をともす。\n\n守塔人在黄昏时点亮灯。등대지기는/),
  });
  for (const type of ["page", "form"])
    expect(of(type, "")).toMatchObject({ title: "[REDACTED:title]", content: "", privacyLevel: "restricted" });
  expect(of("page", "/app/3")).toMatchObject({ title: "View 3", content: "View 3" });
  expect(of("page", "/lamps.pdf")).toMatchObject({ title: "Lamps", content: "Paid with card [REDACTED:card] in spring." });
  expect(of("page", "/parts")?.content).toBe(
    "# Parts of a lamp\n\nThe wick is of cotton.\n\nA lamp at dusk\n\nGlass around slotted\n\nOil Card Order",
  );
  expect(of("media", "/parts")?.content).toBe("A lamp at dusk");
  expect(of("element", "/parts")?.content).toBe("# Parts of a lamp");
  expect(of("selection", "/parts")?.content).toBe("The wick is of cotton.");
  expect(JSON.parse(of("form", "/parts")?.content ?? "[]")).toEqual([
    { name: "oil", type: "text", label: "Oil", filled: true, value: "two litres" },
    { name: "card", type: "text", label: "Card", autocomplete: "cc-number", filled: false },
    { name: "firstChild", type: "text", filled: false },
  ]);
  const all = JSON.stringify(contexts);
  for (const secret of Object.values(secrets)) expect(all).not.toContain(secret);
});
