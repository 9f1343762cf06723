import { expect } from "vitest";
import { createMessage } from "./messages.js";
import { withOwnServer as it } from "./test-server.js";

it("answers a small sync while four slow pages of another user are filtered", async ({ server }) => {
  const [client, other] = [await server.client(), await server.client()];
  const ids = ["a", "b", "c", "d"];
  const slow = (id: string) => createMessage({ context: { id, title: "Slow", content: "password:/".repeat(104_000) } });
  const answered: string[] = [];
  const slowSync = client.batch(ids.map(slow)).finally(() => answered.push("slow"));
  const small = await other.sync(createMessage({ context: { content: "lighthouses ".repeat(400) } })).finally(() => answered.push("small"));
  expect(small.body.privacyLevel).toBe("private");
  const { body } = await slowSync;
  expect(answered).toEqual(["small", "slow"]);
  const withheld = { status: "success", privacyLevel: "restricted", reasons: ["too_complex"] };
  expect(body.results).toMatchObject(ids.map(() => withheld));
  expect((await client.get("/context/a")).body).toMatchObject({ title: "[REDACTED:title]", content: "" });
});
