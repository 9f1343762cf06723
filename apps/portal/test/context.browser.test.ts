import { accessibilityProblems } from "@periscope/harness/accessibility";
import { expect } from "vitest";
import { sendPages } from "./contexts.ts";
import { test } from "./portal-test.ts";

const content = "# Mail\n\nWrite to ada@example.org, or pay with **4111 1111 1111 1111**.";

test("shows what was removed, why a context has its level, and which key read it last", async ({ portal, chromium }) => {
  const { cookie } = portal;
  await sendPages(portal, [
    { id: "mail", title: "Mail of ada@example.org", url: "https://mail.google.com/mail/", content, contentFormat: "markdown" },
    { id: "bank", title: "My balance", url: "https://paypal.com/account", content: "Balance" },
  ]);
  const page = await chromium.open(`${portal.origin}/contexts/mail`, { cookie, width: 360, height: 780 });
  await page.waitForSelector("::-p-text(Never by a key)");
  await page.waitForSelector("::-p-text(The site is listed under “webmail”.)");
  const text = () => page.$eval("main", (main) => main.textContent);
  expect(await text()).toContain("Write to email, or pay with card.");
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

  await portal.client.get("mail");
  await page.reload();
  await page.waitForSelector("main ::-p-text(first key)");

  for (const path of ["/contexts/bank", "/explore", "/explore?query=paypal", "/"]) {
    await page.goto(portal.origin + path);
    await page.waitForSelector("main ::-p-text(Title not stored)");
    expect(await page.content()).not.toContain("[REDACTED");
  }
  expect(await accessibilityProblems(page)).toEqual([]);
});
