import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { slowDown } from "./apply-process.js";
import { checkWhole } from "./database-dump.js";
import { createMessage, deleteMessage, updateMessage } from "./messages.js";
import { Installation, type ServerProcess } from "./server-process.js";
import type { TestClient } from "./test-client.js";

vi.setConfig({ testTimeout: 180_000 });

const contexts = 200;
const rates = { RATE_LIMIT_SYNC: "1000000", RATE_LIMIT_BATCH_SYNC: "1000000", RATE_LIMIT_READ: "1000000", RATE_LIMIT_SEARCH: "1000000" };

/** Text with something that goes at the level `filtered`, and what is left of it there. */
const written = (what: string) => `${what}, told by keeper@mail.example. `.repeat(20);
const left = (what: string) => `${what}, told by [REDACTED:email]. `.repeat(20);

const page = (id: string, what: string) =>
  createMessage({ messageId: `create-${id}`, context: { id, content: written(what), privacyLevel: "public" } });

async function fill(client: TestClient): Promise<Map<string, string | undefined>> {
  const expected = new Map<string, string | undefined>();
  for (let first = 0; first < contexts; first += 100) {
    const ids = Array.from({ length: 100 }, (_, index) => `page-${first + index}`);
    expect((await client.batch(ids.map((id) => page(id, `lighthouse ${id}`)))).body.failed).toBe(0);
    for (const id of ids) expected.set(id, left(`lighthouse ${id}`));
  }
  return expected;
}

/** Changes contexts one after the other until `isOver`, and notes what each has to be once it was acknowledged. */
async function write(
  client: TestClient,
  expected: Map<string, string | undefined>,
  { own, isOver }: { own: string[]; isOver: () => boolean },
) {
  for (let count = 0; !isOver(); count++) {
    const id = own[(count * 7) % own.length] ?? "";
    const timestamp = new Date(Date.parse("2026-02-01T12:00:00Z") + count).toISOString();
    const choice = (count % 9) / 9;
    const [after, message] =
      expected.get(id) === undefined || choice < 0.2
        ? [left(`again ${id} ${count}`), { ...page(id, `again ${id} ${count}`), id: `${id}-${count}`, timestamp }]
        : choice < 0.8
          ? [left(`changed ${id} ${count}`), updateMessage(id, { content: written(`changed ${id} ${count}`) }, { timestamp })]
          : [undefined, deleteMessage(id, { timestamp })];
    const { status, body } = await client.sync(message);
    expect({ status, body }).toMatchObject({ status: 201, body: { status: "success" } });
    expected.set(id, after);
  }
}

it("loses no acknowledged write and lowers no level beside a running server", async () => {
  const variables: Record<string, string> = { ...rates };
  await using installation = await Installation.create(variables);
  let server: ServerProcess = await installation.serve();
  const client = await installation.client(() => server);
  const expected = await fill(client);
  await server.end("SIGTERM");

  const file = join(installation.dataDir, "periscope.db");
  // So that many messages arrive during a run.
  slowDown(file);
  variables["PRIVACY_MINIMUM_LEVEL"] = "filtered";
  server = await installation.serve();
  let isOver = false;
  const ids = [...expected.keys()];
  // Each has contexts of its own, so that what it was answered last is what has to be there.
  const writers = [0, 1, 2].map((writer) =>
    write(client, expected, { own: ids.filter((_, index) => index % 5 === writer), isOver: () => isOver }),
  );
  try {
    for (let run = 0; run < 2; run++) {
      const { code, out } = await installation.run("privacy", "apply", "--all", "--json");
      expect([code, JSON.parse(out)]).toMatchObject([0, { isStopped: false }]);
    }
  } finally {
    isOver = true;
  }
  await Promise.all(writers);
  for (const [id, content] of expected) {
    const { status, body } = await client.get(`/context/${id}`);
    const there = [200, content, "filtered"];
    expect([status, body.content, body.privacyLevel]).toEqual(content === undefined ? [404, undefined, undefined] : there);
  }
  expect((await client.get("/context/search?query=keeper@mail.example")).body.total).toBe(0);
  checkWhole(file);
});
