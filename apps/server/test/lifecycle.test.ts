import { expect, it, vi } from "vitest";
import { createMessage } from "./messages.js";
import { Installation, type ServerProcess } from "./server-process.js";

it("SIGTERM under load: each request is answered or rejected whole, and acknowledged writes are kept", async () => {
  await using installation = await Installation.create();
  let server: ServerProcess = await installation.serve();
  const client = await installation.client(() => server);
  const statuses = new Set<number>();
  const stored: string[] = [];
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let count = 0; ; count++) {
      const id = `w${writer}-${count}`;
      const answer = await client.sync(createMessage({ context: { id } })).catch(() => undefined);
      if (!answer) return;
      statuses.add(answer.status);
      if (answer.status === 201) stored.push(id);
    }
  });
  await vi.waitFor(() => expect(stored.length).toBeGreaterThan(20), 60_000);
  expect(await server.end("SIGTERM")).toBe(0);
  await Promise.all(writers);
  server = await installation.serve();
  expect([...statuses].filter((status) => status !== 201 && status !== 503 && status !== 429)).toEqual([]);
  for (const id of stored) expect([id, (await client.get(`/context/${id}`)).status]).toEqual([id, 200]);
});
