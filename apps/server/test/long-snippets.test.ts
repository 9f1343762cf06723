import { expect } from "vitest";
import { createMessage } from "./messages.js";
import { withOwnServer as it } from "./test-server.js";

it("shows the match of the first long pages, and the start of the others", async ({ client }) => {
  const filler = "harbour ".repeat(130_000);
  const page = (index: number) => createMessage({ context: { id: `c${index}`, content: `Page ${index} ${filler}lighthouses` } });
  for (let at = 0; at < 12; at += 4) expect((await client.batch([0, 1, 2, 3].map((index) => page(at + index)))).body.synced).toBe(4);
  const { status, body } = await client.get("/context/search?query=lighthouses&limit=1000");
  expect([status, body.total]).toEqual([200, 12]);
  const shown = ({ snippet }: { snippet: string }) =>
    /lighthouses$/.exec(snippet) ? "match" : /^Page \d+ harbour/.exec(snippet) && "start";
  expect(body.results.map(shown)).toEqual([...Array(9).fill("match"), ...Array(3).fill("start")]);
});
