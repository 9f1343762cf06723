import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hangMs } from "@periscope/harness/chromium";
import { expect, test } from "vitest";
import { startChromium } from "../build/chromium.ts";
import { connect } from "./connected.ts";
import { has, textOf } from "./extension-page.ts";
import { keeper, startSite } from "./local-site.ts";
import { openPopup } from "./popup.ts";

test("the popup shows what this browser knows while the server does not answer, and no late answer in place of it", async () => {
  const held: ServerResponse[] = [];
  const sent: string[] = [];
  await using server = createServer(({ method, url = "" }, response) => {
    if (method === "GET" && !url.startsWith("/api/v1/context/history")) return void held.push(response);
    // Nothing is taken, for as long as the test runs.
    response.writeHead(429, { "Content-Type": "application/json", "Retry-After": "600" }).end('{"error":"rate_limited","message":"Wait."}');
    if (method === "POST") sent.push(url);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  await using site = await startSite({ "/keeper": keeper });
  await using chromium = await startChromium();
  await connect(chromium, { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`, key: "psk_1" });
  const page = await chromium.newPage();
  await page.goto(`${site.url}/keeper`);
  await expect.poll(() => sent, { timeout: hangMs }).not.toEqual([]);
  // It gives up a question after 8 seconds. On a machine that stalls for so long, it is looked at again.
  let popup = await openPopup(chromium);
  const givesUpFirst = async () => {
    await popup.close();
    held.length = 0;
    popup = await openPopup(chromium);
    await has(popup, "state", "Waiting to be sent");
    return held.some(({ closed }) => closed);
  };
  await expect.poll(givesUpFirst, { timeout: hangMs }).toBe(false);

  await expect.poll(() => held.length, { timeout: hangMs }).toBeGreaterThan(0);
  await popup.locator("#recording").click();
  await has(popup, "state", "Recording is off");
  for (const each of held) each.writeHead(404, { "Content-Type": "application/json" }).end('{"error":"not_found","message":"None."}');
  await Promise.all(held.filter(({ closed }) => !closed).map(async (each) => await once(each, "close")));
  expect(await textOf(popup, "state")).toContain("Recording is off");
  server.closeAllConnections();
});
