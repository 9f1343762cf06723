import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { expectError } from "../../test/answer-checks.js";
import { createMessage } from "../../test/messages.js";
import { TestServer } from "../../test/test-server.js";
import { ofAnyUser } from "./remove-context.js";

it("looks an unknown id up once a user, and reads no index of contexts from end to end", async () => {
  await using server = await TestServer.start();
  const db = new Database(server.databaseFile, { readonly: true });
  const plan = db.prepare<[string], { detail: string }>(`EXPLAIN QUERY PLAN ${ofAnyUser("c").sql}`).all("c");
  const steps = plan.map(({ detail }) => detail).filter((step) => /^(SCAN|SEARCH)/.test(step));
  expect(steps).toEqual([
    expect.stringMatching(/^SCAN users\b/),
    expect.stringMatching(/^SEARCH contexts .*\(userId=\? AND contextId=\?\)/),
  ]);
  db.close();
});

it("tells another user's context from one that nobody has", async () => {
  await using server = await TestServer.start();
  const [owner, other] = [await server.client(), await server.client()];
  await owner.sync(createMessage({ context: { id: "theirs" } }));
  expectError(await other.delete("/context/theirs"), "forbidden");
  expectError(await other.delete("/context/nobodys"), "not_found");
  expect((await owner.get("/context/theirs")).status).toBe(200);
});
