import pg from "pg";
import { expect, it, vi } from "vitest";
import { expectError } from "../../../test/answer-checks.js";
import { createMessage } from "../../../test/messages.js";
import { TestServer } from "../../../test/test-server.js";
import { UserTurns } from "./user-turns.js";

it("refuses a user's writers past what may wait, and serves those that wait, and other users", async () => {
  await using server = await TestServer.start();
  const [client, neighbour] = [await server.client(), await server.client()];
  const other = new pg.Client(server.config.databaseUrl);
  await other.connect();
  try {
    await other.query("BEGIN");
    await other.query('SELECT 1 FROM users WHERE "userId" = $1 FOR UPDATE', [client.userId]);
    const refused: unknown[] = [];
    const answers = Array.from({ length: 69 }, async () => {
      const answer = await client.sync(createMessage({ context: { id: undefined } }));
      if (answer.status !== 201) refused.push(answer);
      return answer.status;
    });
    await vi.waitFor(() => expect(refused.length).toBeGreaterThanOrEqual(4), 60_000);
    for (const answer of refused.slice(0, 4) as Array<Awaited<ReturnType<typeof client.sync>>>) {
      expectError(answer, "unavailable");
      expect(answer.headers.get("retry-after")).toBe("1");
    }
    expect((await neighbour.sync(createMessage())).status).toBe(201);
    await other.query("ROLLBACK");
    // A writer whose turn does not come in ten seconds is refused too.
    const served = (await Promise.all(answers)).filter((status) => status === 201).length;
    expect(served).toBeGreaterThan(0);
    expect(served + refused.length).toBe(69);
    expect((await client.get("/context/history")).body.total).toBe(served);
  } finally {
    await other.end();
  }
});

it("lets 64 wait behind the one whose turn it is, refuses more at once, and serves all that wait", async () => {
  const turns = new UserTurns(600_000);
  const first = Promise.withResolvers<void>();
  let served = 0;
  const taken = Array.from({ length: 65 }, () => turns.take("ada", () => first.promise.then(() => ++served)));
  for (let more = 0; more < 4; more++)
    await expect(turns.take("ada", async () => expect.unreachable())).rejects.toMatchObject({ code: "unavailable" });
  expect(await turns.take("grace", async () => "served")).toBe("served");
  expect(served).toBe(0);
  first.resolve();
  expect(await Promise.all(taken)).toEqual(Array.from({ length: 65 }, (_, index) => index + 1));
  await turns.idle();
});

it("runs in the order of arrival, and gives up what waits for too long without running it", async () => {
  const turns = new UserTurns(20);
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const failing = turns.take("ada", async () => {
    await first.promise;
    throw new Error("no");
  });
  const late = turns.take("ada", async () => void order.push("late"));
  await expect(late).rejects.toMatchObject({ code: "unavailable" });
  const next = ["second", "third"].map((name) => turns.take("ada", async () => void order.push(name)));
  first.resolve();
  await expect(failing).rejects.toThrow("no");
  await turns.idle();
  await Promise.all(next);
  expect(order).toEqual(["second", "third"]);
});
