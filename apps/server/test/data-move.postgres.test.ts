import { createHash } from "node:crypto";
import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { scratchFolder } from "@periscope/harness/temporary-directory";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { configMessage, createMessage, deleteMessage } from "./messages.js";
import { OAuthAgent } from "./oauth-agent.js";
import { PortalClient } from "./portal-client.js";
import { PostgresDatabase } from "./postgres-database.js";
import { TestCommand } from "./test-command.js";
import { TestServer } from "./test-server.js";

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

test("moves an installation to PostgreSQL and back with equal content", async () => {
  using directory = mkdtempDisposableSync(join(scratchFolder(), "periscope-moved-"));
  const sqlite = (name: string) => `file:${join(directory.path, name)}`;
  await using server = await TestServer.start({ databaseUrl: sqlite("first.db") });
  const clients = [await server.client(), await server.client()];
  for (const [index, client] of clients.entries()) {
    const messages = Array.from({ length: 60 }, (_, at) =>
      createMessage({
        context: {
          id: `c${at}`,
          capturedAt: new Date(Date.UTC(2026, 0, 31, 12, at % 7)).toISOString(),
          content: `page ${index} ${at} `.repeat(at * 4),
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
  const [there, back] = [database.url, sqlite("back.db")];
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
});

const owner = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };
const grace = { name: "Grace", email: "grace@example.org", password: "staple battery horse" };
const passkey = {
  id: "passkey",
  name: "Phone",
  publicKey: "cHVibGlj",
  credentialID: "Y3JlZGVudGlhbA",
  counter: 3,
  deviceType: "multiDevice",
  backedUp: true,
  transports: "internal",
  aaguid: null,
  createdAt: "2026-01-31T12:00:00.000Z",
};

test.for(["sqlite", "postgres"])("moves people's accounts and programs from %s to the other engine, but no sessions", async (from) => {
  using directory = mkdtempDisposableSync(join(scratchFolder(), "periscope-people-"));
  await using database = await PostgresDatabase.create();
  const sqlite = `file:${join(directory.path, "one.db")}`;
  const [here, there] = from === "sqlite" ? [sqlite, database.url] : [database.url, sqlite];
  using command = new TestCommand();
  await using old = await TestServer.start({ databaseUrl: here, signUp: "invite" });
  const { browser, userId, key } = await PortalClient.owner(old, owner);
  const invite = async (note: string) => ((await browser.mutate("people.invite", { note })).data as { token: string }).token;
  const joined = await new PortalClient(old).mutate("invite.complete", { token: await invite("Grace"), ...grace });
  const disabled = await old.client(joined.data as { userId: string });
  await browser.mutate("people.disable", joined.data);
  const token = await invite("Eve");
  const agent = await OAuthAgent.register(old);
  const tokens = await agent.connect(browser);

  const one = await run(command, here, "export", "--user", userId, "-");
  expect(one).not.toMatch(/"kind":"(?:account|key|program|invite)"|[0-9a-f]{64}:|ada@example/);
  const all = (await run(command, here, "export", "--all", "-")).replace('"passkeys":[]', `"passkeys":[${JSON.stringify(passkey)}]`);
  command.input = all;
  await run(command, there, "import", "--allow-partial", "-");
  await run(command, there, "import", "--allow-partial", "-");
  expect(contentOf(await run(command, there, "export", "--all", "-"))).toEqual(contentOf(all));

  await using moved = await TestServer.start({ databaseUrl: there, signUp: "invite" });
  expect(await moved.invites.createSetupToken()).toBeNull();
  const session = new PortalClient(moved);
  session.cookie = browser.cookie;
  expect(await session.query("session.me")).toEqual({ status: 200, data: null });
  expect(await session.signIn(owner)).toMatchObject({ status: 200 });
  expect(await session.query("session.me")).toMatchObject({ data: { userId, isOwner: true } });
  expect(await new PortalClient(moved).signIn(grace)).toMatchObject({ status: 403 });
  const statusOf = async (bearer: string) =>
    (await fetch(`${moved.baseUrl}/key`, { headers: { Authorization: `Bearer ${bearer}` } })).status;
  expect([await statusOf(key), await statusOf(disabled.key)]).toEqual([200, 401]);
  expect(await new PortalClient(moved).mutate("invite.begin", { token })).toMatchObject({ data: { isValid: true } });
  const sameAgent = agent.at(moved);
  expect(await sameAgent.mcpStatus(tokens.access)).toBe(200);
  expect(await sameAgent.refresh(tokens.refresh)).toMatchObject({ status: 200 });
});

test("keeps the accounts and the owner that are there when an installation is imported", async () => {
  await using other = await TestServer.start();
  await PortalClient.owner(other, owner);
  await using server = await TestServer.start();
  const { browser, userId } = await PortalClient.owner(server, owner);
  // Both sign in by one identity of the provider.
  for (const each of [other, server]) await each.rows(`UPDATE auth_accounts SET "providerId" = 'oidc', "accountId" = 'ada'`);
  using command = new TestCommand();
  command.input = await run(command, other.config.databaseUrl, "export", "--all", "-");
  const report = async () => JSON.parse(await run(command, server.config.databaseUrl, "import", "--allow-partial", "-", "--json"));
  expect(await report()).toMatchObject({ failures: [{ message: "ada@example.org: is the email address of another person here" }] });
  command.input = command.input.replace("ada@example.org", "eve@example.org");
  expect(await report()).toMatchObject({ failed: 0 });
  const { data } = await browser.query("people.list");
  const owners = (data as Array<{ userId: string; account: { isOwner: boolean } | null }>).filter(({ account }) => account?.isOwner);
  expect(owners.map((person) => person.userId)).toEqual([userId]);
  expect(await server.rows(`SELECT "userId" FROM auth_accounts`)).toEqual([{ userId }]);
});

test.for([
  ["kind", '"kind":"user"', '"kind":"usr"'],
  ["time", '"createdAt":', '"createdAt":-9'],
] as const)("imports nothing of a user with a damaged %s under another user", async ([, whole, damaged], { expect }) => {
  await using server = await TestServer.start();
  for (const userId of ["ada", "eve"]) {
    const client = await server.client({ userId });
    await client.sync(createMessage());
    await client.sync(deleteMessage("deleted"));
    await client.putRules({ denyList: [userId] });
  }
  await PortalClient.owner(server, owner);
  using command = new TestCommand();
  const lines = (await run(command, server.config.databaseUrl, "export", "--all", "-")).split("\n");
  const users = lines.flatMap((line, index) => (line.startsWith('{"kind":"user"') ? [index] : []));
  const [ada, eve, last] = users as [number, number, number];
  expect(lines[ada]).toContain('"ada"');
  for (const from of [eve, ada]) {
    using directory = mkdtempDisposableSync(join(scratchFolder(), "periscope-damaged-"));
    const file = join(directory.path, "one.db");
    command.input = lines.map((line, at) => (at >= from && users.includes(at) ? line.replace(whole, damaged) : line)).join("\n");
    const report = JSON.parse(await run(command, `file:${file}`, "import", "--allow-partial", "-", "--json"));
    expect(report.failures).toContainEqual({ line: last + 2, message: expect.stringContaining("Export again") });
    const imported = await run(command, `file:${file}`, "export", "--all", "-");
    expect(contentOf(imported)).toEqual(contentOf([...lines.slice(0, from), "end"].join("\n")));
    const database = new Database(file);
    expect(database.prepare('SELECT "userId" FROM auth_users').all()).toEqual([]);
    database.close();
  }
});

test("refuses an installation for one user, and a file that is there already", async () => {
  using directory = mkdtempDisposableSync(join(scratchFolder(), "periscope-move-"));
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
