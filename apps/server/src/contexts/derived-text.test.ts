import { expect } from "vitest";
import { createMessage, updateMessage } from "../../test/messages.js";
import { withSharedServer as it } from "../../test/test-server.js";

const field = (label: string, value: string) => ({ name: "", type: "text", label, filled: true, value });

/** What stands apart in the content, and together once its marks are gone. */
const contents: ReadonlyArray<readonly [what: string, context: Record<string, unknown>, secret: string]> = [
  [
    "a title between a label and its value",
    { contentFormat: "html", content: "<p>lighthouse</p><p>Password</p><title>x</title><p>hunter2!Zqvv</p>" },
    "hunter2",
  ],
  ["a card number in bold", { contentFormat: "markdown", content: "lighthouse, paid 4111 **1111** 1111 1111 today" }, "4111"],
  [
    "a token in italics",
    { contentFormat: "markdown", content: "lighthouse gh*p_aB3dE6gH1jK4*mN7pQ0sT2vW5yZ8caB3dE6gH" },
    "mN7pQ0sT2vW5yZ8caB3dE6gH",
  ],
  ["a label half in bold", { contentFormat: "markdown", content: "lighthouse: my pass**word** is hunter2!Zqvv" }, "hunter2"],
  ["a label with a tag in it", { contentFormat: "markdown", content: "lighthouse: <b>pass</b>word: hunter2!Zqvv" }, "hunter2"],
  [
    "fields of a form",
    { type: "form", content: JSON.stringify([field("lighthouse", "x"), field("Password", ""), field("", "hunter2!Zqvv")]) },
    "hunter2",
  ],
];

it.for(contents)("does not show in a search what was apart in the page: %s", async ([, context, secret], { client }) => {
  const found = async () =>
    (await client.get("/context/search?query=lighthouse")).body.results as Array<{ contextId: string; snippet: string }>;

  await client.sync(createMessage({ context: { id: "c", title: "t", ...context } }));
  expect(await found()).toEqual([expect.objectContaining({ snippet: expect.not.stringContaining(secret) })]);
  expect((await client.get(`/context/search?query=${secret}`)).body.results).toEqual([]);

  await client.sync(createMessage({ context: { id: "d", content: "of another kind" } }));
  expect((await client.sync(updateMessage("d", context))).status).toBe(201);
  const both = await found();
  expect(both.map(({ contextId }) => contextId).toSorted()).toEqual(["c", "d"]);
  for (const { snippet } of both) expect(snippet).not.toContain(secret);
});
