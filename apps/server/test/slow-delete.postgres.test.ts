import { expect } from "vitest";
import { createMessage } from "./messages.js";
import { withOwnServer as it } from "./test-server.js";

it("sends spaces during a long bulk delete, so that proxies keep waiting", async ({ server, client }) => {
  await client.sync(createMessage());
  // No trigger: tables that are spread over machines have none.
  await server.rows("ALTER TABLE tombstones ADD CONSTRAINT slow CHECK (pg_sleep(11)::text = '') NOT VALID");
  const answer = await fetch(`${server.baseUrl}/context/delete`, {
    method: "POST",
    headers: { Authorization: `Bearer ${client.key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ where: { type: "page" }, confirm: "1" }),
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/^ +\{"deleted":1\}$/)]);
});
