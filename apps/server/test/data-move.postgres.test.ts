import { createHash } from "node:crypto";
import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configMessage, createMessage, deleteMessage } from "./messages.js";
import { PostgresDatabase } from "./postgres-database.js";
import { TestCommand } from "./test-command.js";
import { TestServer, withOwnServer as it } from "./test-server.js";

/** Runs a command that must succeed, on a database. */
async function run(command: TestCommand, databaseUrl: string, ...words: string[]): Promise<string> {
  const { code, out, err } = await command.run(...words, "--database-url", databaseUrl);
  expect([code, err]).toEqual([0, expect.any(String)]);
  return out;
}

/** Everything of an export by its kind, without what names the time; of contexts a hash each. */
function contentOf(text: string): string[] {
  const lines = text.trimEnd().split("\n").slice(1, -1);
  return lines.map((line) => `${line.slice(0, 60)} ${createHash("sha256").update(line).digest("hex")}`);
}

it.for(["sqlite", "postgres"])(
  "moves an installation from %s to the other engine and back with equal content",
  async (from, { server: usual }) => {
    using directory = mkdtempDisposableSync(join(tmpdir(), "periscope-moved-"));
    const sqlite = (name: string) => `file:${join(directory.path, name)}`;
    await using own = from === "sqlite" ? await TestServer.start({ databaseUrl: sqlite("first.db") }) : undefined;
    const server = own ?? usual;
    const clients = [await server.client(), await server.client()];
    for (const [index, client] of clients.entries()) {
      const messages = Array.from({ length: 60 }, (_, at) =>
        createMessage({
          context: {
            id: `c${at}`,
            capturedAt: new Date(Date.UTC(2026, 0, 31, 12, at % 7)).toISOString(),
            content: `page ${index} ${at} `.repeat(at * 40),
          },
        }),
      );
      expect((await client.batch(messages)).body.failed).toBe(0);
      await client.sync(deleteMessage("c5"));
      await client.sync(configMessage("config", 1, { theme: "dark" }));
      await client.putRules({ denyList: [`Ada ${index}`] });
    }
    await server.access.createKey({ userId: clients[0]!.userId, scopes: ["read"], name: "reader", expiresInMs: 60_000_000 });
    const { databaseUrl } = server.config;
    using command = new TestCommand();
    const first = await run(command, databaseUrl, "export", "--all", "-");

    await using database = await PostgresDatabase.create();
    const [there, back] = from === "sqlite" ? [database.url, sqlite("back.db")] : [sqlite("there.db"), database.url];
    command.input = first;
    await run(command, there, "import", "-");
    const second = await run(command, there, "export", "--all", "-");
    expect(contentOf(second)).toEqual(contentOf(first));
    command.input = second;
    await run(command, back, "import", "-");
    expect(contentOf(await run(command, back, "export", "--all", "-"))).toEqual(contentOf(first));
    // Doing it again changes nothing.
    const report = JSON.parse(await run(command, back, "import", "-", "--json"));
    expect(report).toMatchObject({ created: 0, updated: 0, unchanged: 118, failed: 0, rejected: 0 });
  },
);

test("refuses an installation for one user, and a file that is there already", async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "periscope-move-"));
  using command = new TestCommand();
  await command.run("users", "create", "ada");
  const file = join(directory.path, "all.ndjson");
  expect(await command.run("export", "--all", file)).toMatchObject({ code: 0, err: "Exported 0 contexts.\n" });
  expect(await command.run("export", "--all", file)).toMatchObject({ code: 2, err: expect.stringContaining("There is a file") });
  expect(await command.run("import", file, "--user", "ada")).toMatchObject({ code: 1, err: expect.stringContaining("whole installation") });
  writeFileSync(file, readFileSync(file, "utf8").replace("ada", "eva"));
  expect(await command.run("import", file)).toMatchObject({ code: 1, err: expect.stringContaining("was changed after it was made") });
  expect(await command.run("export", join(directory.path, "one.ndjson.gz"))).toMatchObject({ code: 0 });
  expect(await command.run("import", join(directory.path, "one.ndjson.gz"), "--user", "eva")).toMatchObject({ code: 0 });
  expect((await command.run("users", "list")).out).toContain("eva");
});
