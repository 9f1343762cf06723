import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accessibilityProblems } from "@periscope/harness/accessibility";
import type { ElementHandle } from "puppeteer-core";
import { expect } from "vitest";
import { sendPages } from "./contexts.ts";
import { test } from "./portal-test.ts";

test("imports an export, refuses a cut one, and erases everything with a receipt", async ({ portal, chromium }) => {
  const { cookie } = portal;
  await sendPages(portal, [{ id: "keeper", title: "The keeper" }]);
  const exported = await (await fetch(`${portal.origin}/portal/export`, { headers: { Cookie: cookie } })).text();
  await portal.client.delete("keeper");
  const [whole, cut] = [join(portal.dataDir, "whole.ndjson"), join(portal.dataDir, "cut.ndjson")];
  await writeFile(whole, exported);
  await writeFile(cut, exported.slice(0, -40));

  const page = await chromium.open(`${portal.origin}/data`, { cookie });
  const input = (await page.waitForSelector("input[type=file]")) as ElementHandle<HTMLInputElement>;
  await input.uploadFile(cut);
  await page.waitForSelector("[role=alert]");
  await input.uploadFile(whole);
  const report = await page.waitForSelector("[role=status] dl");
  expect(await report?.evaluate((list) => list.textContent)).toBe("New0Deleted here before1");
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.locator("::-p-text(Erase everything…)").click();
  await page.locator("[role=dialog] [name=confirm]").fill("somebody@example.org");
  await page.locator("[role=dialog] [type=submit]").click();
  await page.waitForSelector("[role=dialog] [role=alert]");
  await page.locator("[role=dialog] [name=confirm]").fill(portal.person.email);
  await page.locator("[role=dialog] [type=submit]").click();
  await page.waitForSelector("[role=dialog] ::-p-text(nothing was found)");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.locator("[role=dialog] ::-p-text(Done)").click();
  await page.waitForSelector("[name=password]");
});
