import { expect, it } from "vitest";
import { createMessage } from "./messages.js";
import { TestServer } from "./test-server.js";

const filler = "harbour ".repeat(130_000);

it("shows the match at the end of a page of 1 MiB", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  await client.sync(createMessage({ context: { id: "c", content: `${filler}lighthouses` } }));
  const { body } = await client.get("/context/search?query=lighthouses");
  expect(body.results[0].snippet).toMatch(/lighthouses$/);
});

it("shows the match of the first long pages of an answer, and the start of the others", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  const page = (index: number) => createMessage({ context: { id: `c${index}`, content: `Page ${index} ${filler}lighthouses` } });
  for (let at = 0; at < 12; at += 4) expect((await client.batch([0, 1, 2, 3].map((index) => page(at + index)))).body.synced).toBe(4);
  const { status, body } = await client.get("/context/search?query=lighthouses&limit=1000");
  expect([status, body.total]).toEqual([200, 12]);
  const snippets: string[] = body.results.map(({ snippet }: { snippet: string }) => snippet);
  expect(snippets.map((snippet) => (snippet.endsWith("lighthouses") ? "match" : /^Page \d+ harbour/.exec(snippet) && "start"))).toEqual([
    ...Array.from({ length: 9 }, () => "match"),
    ...Array.from({ length: 3 }, () => "start"),
  ]);
});
