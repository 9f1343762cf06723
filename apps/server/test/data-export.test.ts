import { createHash } from "node:crypto";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import { expect } from "vitest";
import { isDeep, numbers, seed } from "./deep.js";
import { createEraseService } from "../src/data/erase.service.js";
import { exportUser } from "../src/data/export.service.js";
import { configMessage, createMessage, deleteMessage, heartbeat, updateMessage } from "./messages.js";
import { contextLine, exportOf, exportText } from "./export-text.js";
import { PortalClient } from "./portal-client.js";
import { RawConnection } from "./raw-connection.js";
import type { Answer, TestClient } from "./test-client.js";
import { TestServer, withSharedServer as it } from "./test-server.js";

const linesOf = (text: string): Array<Record<string, any>> =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const importInto = (client: TestClient, body: string | Uint8Array, query = "", headers: Record<string, string> = {}): Promise<Answer> =>
  client.send("POST", `/data/import${query}`, { body: body as string, headers: { "Content-Type": "application/x-ndjson", ...headers } });

const exported = async (client: TestClient, query = ""): Promise<string> => {
  const { status, body } = await client.get(`/data/export${query}`);
  expect(status).toBe(200);
  return body;
};

/** All lines but header and end, which differ by time and user. */
const contentOf = (text: string) => linesOf(text).slice(1, -1);

const at = (minute: number) => new Date(Date.UTC(2026, 0, 31, 12, minute)).toISOString();

/** Contexts of every level, with an update, rules and settings. */
async function fill(client: TestClient, count = 12): Promise<void> {
  const levels = ["public", "private", "filtered", "restricted"];
  const messages = Array.from({ length: count }, (_, index) =>
    createMessage({
      extensionId: index % 2 ? "laptop" : "phone",
      context: {
        id: `c${index}`,
        capturedAt: at(index % 5),
        privacyLevel: levels[index % 4],
        type: index % 3 === 0 ? "selection" : "page",
        content: index % 2 ? `<h1>Lamp ${index}</h1><p>Ask jo@example.org, "now".\u2028</p>` : `Ünï ${"lamp ".repeat(index)}`,
        contentFormat: index % 2 ? "html" : "text",
        metadata: { index },
      },
    }),
  );
  expect((await client.batch(messages)).body.failed).toBe(0);
  await client.sync(updateMessage("c1", { title: "Changed" }));
  await client.sync(heartbeat("c3", at(50)));
  await client.sync(configMessage("config", 1, { theme: "dark" }));
  await client.putRules({ denyList: ["Ada Lovelace"] });
}

it("exports everything with counts and hash, and imports equal content elsewhere", async ({ server, client }) => {
  await fill(client);
  const text = await exported(client);
  const lines = linesOf(text);
  expect(lines[0]).toMatchObject({ kind: "header", format: "periscope-export", version: 1, userId: client.userId, contexts: 12 });
  const end = text.trimEnd().lastIndexOf("\n") + 1;
  expect(lines.at(-1)).toEqual({
    kind: "end",
    lines: { context: 12, rules: 1, extension: 2 },
    sha256: createHash("sha256").update(text.slice(0, end)).digest("hex"),
  });
  const other = await server.client();
  const { status, body } = await importInto(other, gzipSync(text));
  expect([status, body]).toEqual([200, expect.objectContaining({ created: 12, settings: 3, failed: 0, rejected: 0, failures: [] })]);
  expect(contentOf(await exported(other))).toEqual(contentOf(text));
  expect((await importInto(other, text)).body).toMatchObject({ unchanged: 12, settings: 0, failed: 0 });
  expect((await other.get("/context/search?query=lamp")).body.total).toBe((await client.get("/context/search?query=lamp")).body.total);
  expect((await other.get("/context/current")).body).toMatchObject({ contextId: "c3", lastSeenAt: at(50) });
});

it("keeps why a context has its level", async ({ server, client }) => {
  const tabMetadata = { id: "7", url: "https://mail.google.com/mail/", title: "Inbox" };
  await client.sync(createMessage({ context: { id: "mail", tabMetadata } }));
  await client.sync(updateMessage("mail", { privacyLevel: "public", title: "Another title" }));
  const text = await exported(client);
  const levelReasons = ["category:webmail", "stored:level"];
  expect(linesOf(text)[1]).toMatchObject({ contextId: "mail", levelReasons });
  const other = await server.client();
  await importInto(other, exportText([{ ...linesOf(text)[1]!, writtenAt: at(-60) }]));
  await importInto(other, text);
  expect(linesOf(await exported(other))[1]).toMatchObject({ levelReasons });
  const secret = contextLine("planted", { levelReasons: ["Call Ada at 030 1234567"] });
  expect((await importInto(other, exportText([secret]), "?allowPartial=true")).body).toMatchObject({ created: 0, failed: 1 });
});

it("exports a heartbeat only where there was one", async ({ server, client }) => {
  await client.batch([createMessage({ context: { id: "captured" } }), createMessage({ context: { id: "seen" } })]);
  await client.sync(heartbeat("seen", at(5)));
  const heartbeats = async (of: TestClient) =>
    Object.fromEntries(
      contentOf(await exported(of)).flatMap(({ kind, contextId, lastSeenAt }) => (kind === "context" ? [[contextId, lastSeenAt]] : [])),
    );
  const expected = { captured: undefined, seen: at(5) };
  expect(await heartbeats(client)).toEqual(expected);
  const other = await server.client();
  await importInto(other, await exported(client));
  await other.sync(createMessage({ context: { id: "captured", capturedAt: at(9) }, timestamp: at(9) }));
  expect((await other.get("/context/captured")).body).toMatchObject({ viewedAt: at(9), lastSeenAt: at(9) });
  expect(await heartbeats(other)).toEqual(expected);
});

it("imports metadata and settings that the filter has made longer than what may be sent", async ({ server, client }) => {
  const sent = { people: "Ada Lovelace, ".repeat(1_150) };
  await client.putRules({ denyList: ["Ada Lovelace"] });
  const messages = [createMessage({ context: { id: "long", privacyLevel: "filtered", metadata: sent } }), configMessage("config", 1, sent)];
  expect((await client.batch(messages)).body.failed).toBe(0);
  const text = await exported(client);
  expect(JSON.stringify(linesOf(text)[1]!["metadata"]).length).toBeGreaterThan(16_384);
  const other = await server.client();
  expect((await importInto(other, text)).body).toMatchObject({ created: 1, settings: 2, failed: 0 });
  expect(contentOf(await exported(other))).toEqual(contentOf(text));
  const far = { people: "x".repeat(65_536) };
  const lines = [contextLine("far", { metadata: far }), { kind: "extension", extensionId: "far", lastSeenAt: at(0), config: far }];
  expect((await importInto(other, exportText(lines))).body).toMatchObject({ created: 0, settings: 0, failed: 2 });
});

it("replays an import without a change", async ({ client }) => {
  const text = exportOf(["a", "b"]);
  expect((await importInto(client, text)).body).toMatchObject({ created: 2, unchanged: 0 });
  const before = await exported(client);
  expect((await importInto(client, text)).body).toMatchObject({ created: 0, unchanged: 2 });
  expect(contentOf(await exported(client))).toEqual(contentOf(before));
});

it("keeps the newer of two states, and deletes that came later", async ({ client }) => {
  const send = (writtenAt: string, title: string) =>
    importInto(client, exportText([contextLine("a", { writtenAt, title }), contextLine("gone", { writtenAt: at(0) })]));
  await send(at(1), "one");
  await client.sync(deleteMessage("gone", { timestamp: at(2) }));
  expect((await send(at(0), "older")).body).toMatchObject({ newer: 1, deleted: 1 });
  expect((await send(at(3), "newer")).body).toMatchObject({ updated: 1, deleted: 1 });
  expect((await client.get("/context/a")).body.title).toBe("newer");
  expect((await client.get("/context/gone")).status).toBe(404);
});

it("filters what it imports by the rules of now, and never lowers a level", async ({ client }) => {
  await client.putRules({ blockedSites: ["diary.example"], denyList: ["Grace Hopper"] });
  await client.sync(createMessage({ context: { id: "high", privacyLevel: "restricted" } }));
  const url = "https://diary.example/today";
  const lines = [
    contextLine("diary", { url, tabMetadata: { ...(contextLine("x")["tabMetadata"] as object), url } }),
    contextLine("named", { content: "Grace Hopper and sk_live_4eC39HqLyjWDarjtT1zdp7dc", privacyLevel: "filtered" }),
    contextLine("high", { privacyLevel: "public", writtenAt: at(9) }),
  ];
  const { body } = await importInto(client, exportText(lines));
  expect(body).toMatchObject({ created: 1, updated: 1, rejected: 1, failures: [{ line: 2, contextId: "diary" }] });
  const { content } = (await client.get("/context/named")).body;
  expect(content).not.toMatch(/Grace|4eC39/);
  expect((await client.get("/context/high")).body.privacyLevel).toBe("restricted");
  expect((await client.get("/context/diary")).status).toBe(404);
});

it("names lines that are not valid, and imports the others", async ({ client }) => {
  const far = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const lines = [
    contextLine("good"),
    { kind: "context", contextId: "bad" },
    ...["timestamp", "writtenAt", "viewedAt", "lastSeenAt"].map((name) => contextLine(`ahead-${name}`, { [name]: far })),
    { kind: "extension", extensionId: "phone", lastSeenAt: far },
    { kind: "extension", extensionId: "phone", lastSeenAt: at(0), config: { theme: "dark" }, configAt: far },
    { kind: "user", userId: "mallory", createdAt: 0 },
    { kind: "key", keyId: "k", hash: "a".repeat(64) },
    { kind: "poem" },
  ];
  const { body } = await importInto(client, exportText(lines));
  expect(body).toMatchObject({ created: 1, settings: 0, failed: 10 });
  expect(body.failures.map(({ line }: { line: number }) => line)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(body.failures[0]).toMatchObject({ contextId: "bad", message: expect.stringMatching(/^\w+: /) });
});

it("refuses an export that was cut off or changed, and stores nothing of it", async ({ client }) => {
  const text = exportOf(["a", "b", "c"]);
  const broken = {
    cut: text.slice(0, text.lastIndexOf('{"kind":"end"')),
    "cut in a line": text.slice(0, text.length / 2),
    changed: text.replace("An article", "My article"),
    "a line less": text.split("\n").toSpliced(2, 1).join("\n"),
    "a line more": `${text}{"kind":"poem"}\n`,
    "not an export": `${JSON.stringify(contextLine("a"))}\n`,
    "another version": text.replace('"version":1', '"version":2'),
    empty: "\n",
    "damaged gzip": gzipSync(text).subarray(0, 60),
  };
  for (const [what, body] of Object.entries(broken)) {
    const answer = await importInto(client, body);
    expect([what, answer.status, answer.body.error]).toEqual([what, 400, "bad_request"]);
  }
  expect((await client.get("/context/history")).body.total).toBe(0);
  const rest = await importInto(client, broken["cut in a line"], "?allowPartial=true");
  expect([rest.status, rest.body.created]).toEqual([200, 1]);
  expect((await importInto(client, broken.changed, "?allowPartial=true")).body).toMatchObject({ created: 2, unchanged: 1 });
});

it("continues a download that was cut twice at any byte; all parts import as one", async ({ server, client }) => {
  await fill(client);
  const whole = Buffer.from(await exported(client));
  const below = numbers(seed);
  /** Cuts a download somewhere behind `from`, and downloads the rest. */
  const cutAndContinue = async (download: Buffer, from: number): Promise<{ cut: number; joined: Buffer; kept: number }> => {
    const cut = from + below(download.length - from);
    const complete = download.subarray(0, download.subarray(0, cut).lastIndexOf("\n") + 1);
    const last = linesOf(complete.toString() || "{}").findLast(({ kind }) => kind === "context");
    // Without a context there is nothing to go on from.
    if (!last) return { cut, joined: download, kept: 0 };
    // Rules and settings stand behind the contexts, and are sent again.
    const kept = complete.subarray(0, complete.indexOf("\n", complete.lastIndexOf('{"kind":"context"')) + 1);
    const sha256 = createHash("sha256").update(kept).digest("hex");
    const rest = await exported(client, `?after=${last["timestamp"]},${last["contextId"]}&sha256=${sha256}`);
    return { cut, joined: Buffer.concat([kept, Buffer.from(rest)]), kept: kept.length };
  };
  for (let round = 0; round < (isDeep ? 200 : 6); round++) {
    const first = await cutAndContinue(whole, 1);
    const { cut, joined } = await cutAndContinue(first.joined, first.kept + 1);
    const other = await server.client();
    const cuts = [first.cut, cut];
    expect([cuts, (await importInto(other, joined)).body]).toEqual([cuts, expect.objectContaining({ created: 12, failed: 0 })]);
    expect(contentOf(await exported(other))).toEqual(contentOf(whole.toString()));
    const altered = joined.toString().replace("Lighthouses", "Lamphouses");
    expect((await importInto(await server.client(), altered)).status).toBe(400);
  }
});

it("narrows an export by time and type", async ({ client }) => {
  await fill(client);
  const idsOf = async (query: string) => contentOf(await exported(client, query)).filter(({ kind }) => kind === "context");
  expect(await idsOf(`?since=${at(1)}&until=${at(3)}`)).toHaveLength(5);
  expect((await idsOf("?type=selection")).map(({ type }) => type)).toEqual(Array(4).fill("selection"));
  for (const query of [`?since=${at(3)}&until=${at(1)}`, "?after=yesterday", `?sha256=${"a".repeat(64)}`, "?type=poem"])
    expect([query, (await client.get(`/data/export${query}`)).status]).toEqual([query, 400]);
});

it("never sets privacy rules that a user has already", async ({ client }) => {
  await client.putRules({ denyList: ["Grace Hopper"] });
  const rules = { kind: "rules", rules: { blockedSites: [], siteRules: [], denyList: [] }, updatedAt: "2026-06-01T00:00:00.000Z" };
  expect((await importInto(client, exportText([rules]))).body).toMatchObject({ settings: 0, failed: 0 });
  expect((await client.get("/privacy/rules")).body.denyList).toEqual(["Grace Hopper"]);
});

it("imports retention rules only with a key that may delete", async ({ server, client }) => {
  const writer = await server.client({ userId: client.userId, scopes: ["write"] });
  const text = exportText([{ kind: "retention", rules: [{ keepDays: 1 }], updatedAt: at(0) }, contextLine("a")]);
  const { body } = await importInto(writer, text);
  expect(body).toMatchObject({
    created: 1,
    settings: 0,
    failed: 1,
    failures: [{ line: 2, message: expect.stringContaining("scope delete") }],
  });
  expect((await client.get("/data/retention")).body.rules).toEqual([]);
  expect((await importInto(client, text)).body).toMatchObject({ unchanged: 1, settings: 1, failed: 0 });
  expect((await client.get("/data/retention")).body.rules).toEqual([{ keepDays: 1 }]);
});

it("answers 415 to other bodies, and 400 to an export of an installation", async ({ client }) => {
  expect((await client.post("/data/import", {})).status).toBe(415);
  expect((await importInto(client, exportOf(["a"]), "", { "Content-Encoding": "br" })).status).toBe(415);
  expect((await importInto(client, exportText([], { userId: undefined }))).status).toBe(400);
});

it("imports into a server whose data directory is not there yet", async () => {
  await using parent = await temporaryDirectory("periscope-test-");
  await using server = await TestServer.start({ dataDir: join(parent.path, "data") });
  const client = await server.client();
  expect(await importInto(client, exportText([contextLine("a")]))).toMatchObject({ status: 200 });
});

/** Makes the user's contexts larger than what a connection takes that nobody reads from. */
async function enlarge(server: TestServer, userId: string): Promise<void> {
  await server.rows('UPDATE contexts SET content = ? WHERE "userId" = ?', "lighthouse ".repeat(90_000), userId);
}

it("breaks an export off when its key is revoked", async ({ server, client }) => {
  await fill(client);
  await enlarge(server, client.userId);
  const headers = { Authorization: `Bearer ${client.key}`, "Accept-Encoding": "identity" };
  const answer = await fetch(`${server.baseUrl}/data/export`, { headers });
  expect(answer.status).toBe(200);
  await server.access.revokeKey(client.keyId);
  await expect(answer.text()).rejects.toThrow("terminated");
});

it("breaks an export of the portal off when its person signs out", async () => {
  await using server = await TestServer.start();
  const { browser, userId } = await PortalClient.owner(server, {
    name: "Ada",
    email: "ada@example.org",
    password: "correct horse battery",
  });
  await fill(await server.client({ userId }));
  await enlarge(server, userId);
  const answer = await browser.send("GET", "/portal/export", undefined, { "Accept-Encoding": "identity" });
  expect(answer.status).toBe(200);
  expect(await browser.mutate("session.signOut")).toMatchObject({ status: 200 });
  await expect(answer.text()).rejects.toThrow("terminated");
});

it.for([
  ["contexts", exportOf(["a"])],
  ["retention_rules", exportText([{ kind: "retention", rules: [{ keepDays: 1 }], updatedAt: "2026-01-01T00:00:00.000Z" }])],
] as const)("imports no %s for a key that is revoked before everything has arrived", async ([table, text], { server, client }) => {
  const headers = { Authorization: `Bearer ${client.key}`, "Content-Type": "application/x-ndjson", "Content-Length": text.length };
  using upload = RawConnection.open(server.baseUrl).request("POST /api/v1/data/import", headers).write(text.slice(0, 100));
  await expect.poll(async () => (await server.access.listKeys(client.userId))[0]?.lastUsedAt).toEqual(expect.any(Number));
  await server.access.revokeKey(client.keyId);
  upload.write(text.slice(100));
  expect(await upload.answer()).toMatchObject({ status: 401 });
  expect(await server.rows(`SELECT 1 FROM ${table} WHERE "userId" = ?`, client.userId)).toEqual([]);
});

it("gives no last line to an export when its user is erased, or being erased", async ({ server, client }) => {
  const other = await server.client();
  await using storage = await server.openStorage();
  const erasure = createEraseService({ ...storage, clock: Date.now });
  const restOf = async (lines: AsyncIterable<Buffer>) => {
    for await (const line of lines) if (line.includes('{"kind":"end"')) return "whole";
    return "cut";
  };
  for (const each of [client, other]) {
    await fill(each);
    const deps = { stores: storage, clock: Date.now, erasure };
    const lines = await exportUser(deps, each.userId);
    await lines.next();
    const erased = erasure.erase(each.userId);
    if (each === client) await erased;
    await expect(restOf(lines)).rejects.toThrow("was erased during this export");
    await erased;
  }
});
