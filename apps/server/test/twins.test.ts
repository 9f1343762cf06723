import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMessage, deleteMessage, heartbeat, updateMessage } from "./messages.js";
import {
  expectSame,
  expectSamePages,
  expectSameReads,
  expectSameTools,
  messagesAbout,
  startTwins,
  type Twins,
  unseenIds,
} from "./twins.js";

// A deep run tries the other level, too, with many more contexts.
describe("a key limited to private", () => {
  let twins: Twins;
  beforeAll(async () => void (twins = await startTwins("private", { visible: 160, hidden: 120 })));
  afterAll(() => twins[Symbol.asyncDispose]());

  it("reads everything as if hidden contexts had never been", async () => {
    expect(await expectSameReads(twins)).toEqual({ statuses: new Set([200, 400, 403, 404]), total: 160 });
  });

  it("pages through history with the same cursors", async () => {
    expect(await expectSamePages(twins, 30)).toBe(6);
  });

  it("gets the same from the tools of MCP", async () => {
    expect(await expectSameTools(twins)).toBe(9);
  });

  it("cannot tell hidden ids from unknown ones by what its writes are answered, and changes nothing hidden", async () => {
    const { owner, limited, twin } = twins;
    const before = (await owner.get("/context/h1")).body;
    for (const id of unseenIds) {
      await expectSame([limited, twin], (client) => client.delete(`/context/${id}`), `DELETE ${id}`);
      const statuses: number[] = [];
      for (const { what, message } of messagesAbout(id))
        statuses.push((await expectSame([limited, twin], (client) => client.sync(message), `${what} of ${id}`)).status);
      expect(statuses).toEqual([404, 404, 201, 201, 201, 201, 201, 400, 400]);
    }
    const messages = ["h2", "h3", "unknown"].flatMap((id) => messagesAbout(id).map(({ message }) => message));
    const { body } = await expectSame([limited, twin], (client) => client.batch(messages), "a batch");
    expect(body).toMatchObject({ failed: 12 });
    expect((await owner.get("/context/h1")).body).toEqual(before);
  });

  it("cannot delete what is hidden, and its newer create keeps the level", async () => {
    const { owner, limited } = twins;
    const timestamp = "2026-06-02T00:00:00Z";
    const { privacyLevel } = (await owner.get("/context/h4")).body;
    expect((await limited.sync(deleteMessage("h4", { timestamp }))).status).toBe(201);
    expect((await limited.sync(heartbeat("h4", timestamp))).body).not.toHaveProperty("contextId");
    const newer = createMessage({ timestamp, context: { id: "h4", privacyLevel: "public", title: "Mine" } });
    expect((await limited.sync(newer)).body).toMatchObject({ contextId: "h4", privacyLevel: "public" });
    expect((await owner.get("/context/h4")).body).toMatchObject({ privacyLevel });
    expect((await limited.get("/context/h4")).status).toBe(404);
  });

  it("changes and deletes what it sees", async () => {
    const { limited, owner } = twins;
    expect((await limited.sync(updateMessage("v5", { title: "Mine" }, { timestamp: "2026-06-01T00:00:00Z" }))).status).toBe(201);
    expect((await owner.get("/context/v5")).body.title).toBe("Mine");
    expect((await limited.delete("/context/v5")).status).toBe(204);
    expect((await owner.get("/context/v5")).status).toBe(404);
  });
});
