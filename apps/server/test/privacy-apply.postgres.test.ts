import { expect, it } from "vitest";
import { runCommand } from "../src/cli/program.js";
import { readConfig } from "../src/config/config.js";
import type { RefilterReport } from "../src/privacy/refilter.service.js";
import { configMessage, createMessage, errorMessage } from "./messages.js";
import { checkPostgresIndex } from "./postgres-index.js";
import { withoutProgress } from "./test-command.js";
import { TestServer } from "./test-server.js";

async function apply(server: TestServer, env: Record<string, string>, ...words: string[]): Promise<RefilterReport> {
  const result = { out: "", err: "" };
  const code = await runCommand(["privacy", "apply", "--json", ...words], {
    env: { DATABASE_URL: server.config.databaseUrl, ...env },
    out: (text) => void (result.out += text),
    err: (text) => void (result.err += text),
  });
  expect({ code, err: withoutProgress(result.err) }).toEqual({ code: 0, err: "" });
  return JSON.parse(result.out);
}

const email = "ada.planted@mail.example";
const filtered = { PRIVACY_MINIMUM_LEVEL: "filtered", BLOCKED_SITES: "blocked.example" };

it("filters everything stored again, in every table and in the search index", async () => {
  await using server = await TestServer.start({ privacyPolicy: readConfig({}).privacyPolicy });
  const client = await server.client();
  const page = (id: string, url: string) =>
    createMessage({ context: { id, url, content: `<p>Lamps, <b>${email}</b> wrote</p>`, contentFormat: "html", privacyLevel: "public" } });
  const sent = [
    page("a", "https://articles.example/a"),
    page("b", "https://blocked.example/b"),
    configMessage("g", 1, { account: email }),
    errorMessage("E", { message: `no answer from ${email}` }),
  ];
  for (const message of sent) expect((await client.sync(message)).status).toBe(201);
  const kept = `SELECT seq, "capturedAt", "writtenAt", "lastSeenAt" FROM contexts WHERE "contextId" = 'a'`;
  const before = await server.rows(kept);

  expect((await apply(server, filtered, "--dry-run")).counts).toMatchObject({ checked: 2, rewritten: 1, removed: { "blocked-site": 1 } });
  expect(JSON.stringify(await server.rows("SELECT * FROM contexts"))).toContain(email);
  const { counts } = await apply(server, filtered);
  expect(counts).toMatchObject({ checked: 2, rewritten: 1, removed: { "blocked-site": 1 }, configs: 1, errors: 1 });

  for (const table of ["contexts", "extensions", "extension_errors"])
    expect(JSON.stringify(await server.rows(`SELECT * FROM ${table}`))).not.toContain("planted");
  expect(await server.rows(kept)).toEqual(before);
  await checkPostgresIndex(server);
  const search = async (query: string) => (await client.get(`/context/search?query=${query}`)).body.total;
  expect([await search("planted"), await search("lamps")]).toEqual([0, 1]);
  // It goes on where it has come to: what is done is not done again, and what is removed does not come back.
  expect(await apply(server, filtered)).toMatchObject({ upToDate: 1 });
  expect((await client.sync(sent[1])).status).toBe(201);
  expect((await client.get("/context/b")).status).toBe(404);
});
