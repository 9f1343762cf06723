import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { TestServer } from "../../../test/test-server.js";
import { ofAnyUser } from "../remove-context.js";

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
