import { expect } from "vitest";
import { createMessage } from "./messages.js";
import { PortalClient } from "./portal-client.js";
import { withOwnServer as test } from "./test-server.js";

const person = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };
const page = (id: string, url: string) => createMessage({ context: { id, content: "Oil.", tabMetadata: { id: "7", url, title: "Oil" } } });

test("finds a site behind 10,000 newer URLs that mention it", async ({ server, client }) => {
  await client.sync(page("wanted", "https://docs.lamps.example/oil/1"));
  for (let start = 0; start < 10_200; start += 100) {
    const hosts = ["other.example/lamps.example/oil", "lamps.example/rope"];
    const urls = Array.from({ length: 100 }, (_, index) => `https://${hosts[index % 100 === 0 ? 1 : 0]}/${start + index}`);
    expect((await client.batch(urls.map((url, index) => page(`c${start + index}`, url)))).body.failed).toBe(0);
  }
  const { browser } = await PortalClient.owner(server, person);
  for (const words of [{}, { query: "oil" }]) {
    const find = async (site: string) => (await browser.query("explore.search", { zone: "UTC", site, ...words })).data;
    expect(await find("lamps.example/oil")).toMatchObject({ results: [{ contextId: "wanted" }], total: 1, totalIsExact: true });
    expect(await find("lamps.example")).toMatchObject({ total: 103, totalIsExact: true });
  }
});
