import { buildAsyncApiDocument } from "../openapi/async-document.js";
import { Ajv } from "ajv";
import asyncApi3 from "@asyncapi/specs/schemas/3.0.0-without-$id.json" with { type: "json" };
import { expect, test } from "vitest";
import document from "../asyncapi.json" with { type: "json" };
import manifest from "../package.json" with { type: "json" };
import { LiveClient, liveAt } from "./live-client.js";
import { createMessage, heartbeat, updateMessage } from "./messages.js";
import { withOwnServer as it } from "./test-server.js";

/** After a change of the frames: `pnpm --filter @periscope/server openapi`. */
test("asyncapi.json matches the frames", async () => {
  const built = buildAsyncApiDocument({ baseUrl: "http://localhost:3000/api/v1", version: manifest.version });
  await expect(`${JSON.stringify(built, null, 2)}\n`).toMatchFileSnapshot("../asyncapi.json");
});

const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema({ $id: "doc", ...document });
/** The messages of the document whose payload a frame is. */
const messagesOf = (frame: unknown): string[] =>
  Object.entries(document.components.messages).flatMap(([name, { payload }]) =>
    ajv.validate({ $ref: `doc${payload.$ref}` }, frame) ? [name] : [],
  );

it("is valid AsyncAPI 3, with valid examples, at the address of the server", async ({ server }) => {
  expect(new Ajv({ strict: false, validateFormats: false }).validate(asyncApi3, document)).toBe(true);
  for (const [name, { examples }] of Object.entries(document.components.messages))
    for (const { payload } of examples) expect(messagesOf(payload)).toEqual([name]);
  const served = await (await fetch(`${server.baseUrl}/asyncapi.json`)).json();
  expect(served).toEqual({
    ...document,
    servers: { installation: { ...document.servers.installation, host: new URL(server.baseUrl).host } },
  });
});

it("describes every frame that the server sends", async ({ server, client }) => {
  await client.sync(createMessage({ context: { id: "page" } }));
  await using live = await LiveClient.open(liveAt(client, server.baseUrl));
  for (const frame of [{ type: "ping" }, { type: "subscribe", channel: "current-context", filter: { type: "page" } }]) {
    expect(messagesOf(frame)).toEqual([frame.type]);
    live.send(frame);
  }
  live.send({ type: "unknown" });
  await live.next("error");
  await client.sync(updateMessage("page", { title: "Another" }));
  await live.event("current.changed");
  await client.sync(heartbeat("page", new Date().toISOString()));
  await live.event("context.viewed");
  await client.delete("/context/page");
  await live.event("current.changed");
  await server.restart();
  const found = live.frames.map((frame) => messagesOf(frame));
  expect(found.filter(({ length }) => length !== 1)).toEqual([]);
  const ofServer = document.operations.sendFrames.messages.map(({ $ref }) => $ref.split("/").at(-1));
  expect(new Set(found.flat())).toEqual(new Set(ofServer));
});
