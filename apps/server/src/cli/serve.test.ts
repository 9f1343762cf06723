import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Installation } from "../../test/server-process.js";

// Each test starts processes, which takes seconds.
const status = async (url: string, key: string) => (await fetch(url, { headers: { Authorization: `Bearer ${key}` } })).status;
const keyIn = (text: string) => /psk_\w+/.exec(text)?.[0] ?? "";

test("the first start prints curl commands that sync a page and find it", async () => {
  await using installation = await Installation.create();
  const server = await installation.serve();
  const [sync, search] = server.out.split("\n").filter((line) => line.startsWith("curl "));
  const paste = (line: string | undefined) => JSON.parse(execFileSync("sh", ["-c", line ?? ""], { encoding: "utf8" }));
  const synced = paste(sync);
  expect(synced).toMatchObject({ status: "success", contextId: expect.any(String) });
  expect(paste(search)).toMatchObject({ total: 1, results: [{ contextId: synced.contextId, url: "https://example.com/lighthouses" }] });
  expect(paste(sync)).toMatchObject({ duplicate: true });
  const modes = readdirSync(installation.dataDir).map((name) => statSync(join(installation.dataDir, name)).mode & 0o077);
  expect(new Set(modes)).toEqual(new Set([0]));
});

test("a later start, also after kill -9, shows no key and accepts the first one", async () => {
  await using installation = await Installation.create();
  const first = await installation.serve();
  expect(await first.end("SIGKILL")).toBeNull();
  const second = await installation.serve("--data-dir", installation.dataDir);
  expect(second.out).not.toContain("psk_");
  expect(second.out).toContain(`\nperiscope keys create --user USER --scopes read,write,delete --data-dir ${installation.dataDir}\n`);
  expect(await status(`${second.baseUrl}/context/history`, keyIn(first.out))).toBe(200);
});

test("creates no first key when there is a user", async () => {
  await using installation = await Installation.create();
  await installation.run("users", "create", "ada");
  expect((await installation.serve()).out).not.toContain("psk_");
});

test("rejects a second server on the same data directory or database", async () => {
  await using installation = await Installation.create();
  const first = await installation.serve();
  const sameDirectory = await installation.run("serve");
  expect(sameDirectory).toMatchObject({ code: 1, out: "" });
  for (const fact of [installation.dataDir, `process ${first.pid}`, first.baseUrl]) expect(sameDirectory.err).toContain(fact);
  const database = join(installation.dataDir, "periscope.db");
  const otherDirectory = ["--data-dir", join(installation.dataDir, "other")];
  const sameDatabase = await installation.run("serve", ...otherDirectory, "--database-url", `file:${database}`);
  expect(sameDatabase).toMatchObject({ code: 1, out: "", err: expect.stringContaining(`uses the database ${database}. Stop it`) });
  const doctor = await installation.run("doctor");
  expect(doctor).toMatchObject({ code: 0, out: expect.stringContaining(`(process ${first.pid}, ${first.baseUrl})`) });
});

test("keys created and revoked beside a running server take effect at once", async () => {
  await using installation = await Installation.create();
  const { baseUrl } = await installation.serve();
  const { key, id } = JSON.parse((await installation.run("keys", "create", "--user", "ada", "--scopes", "read", "--json")).out);
  expect(await status(`${baseUrl}/context/history`, key)).toBe(200);
  await installation.run("keys", "revoke", id);
  expect(await status(`${baseUrl}/context/history`, key)).toBe(401);
});

test("explains a port that is in use", async () => {
  await using installation = await Installation.create();
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const { code, out, err } = await installation.run("serve", "--port", String(port));
  other.close();
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(new RegExp(`^127\\.0\\.0\\.1:${port} is in use by another program\\..*--port 0.*\n$`));
});

test("warns when it listens on the network without TLS", async () => {
  await using installation = await Installation.create();
  const server = await installation.serve("--host", "0.0.0.0");
  await expect.poll(() => server.err).toMatch(/^HOST is 0\.0\.0\.0, without TLS: .*PUBLIC_URL.*\n$/);
});

test.each([
  ["auto", /^\{"level":30,.*"route":"\/healthz","status":200.*\}$/m],
  ["pretty", /^\[\d\d:\d\d:\d\d\] INFO: GET \/healthz 200 in [\d.]+ ms/m],
])("writes log lines to a pipe with LOG_FORMAT=%s", async (format, line) => {
  await using installation = await Installation.create({ LOG_LEVEL: "info", LOG_FORMAT: format });
  const server = await installation.serve();
  await fetch(new URL("/healthz", server.baseUrl));
  expect(await server.end("SIGTERM")).toBe(0);
  expect(server.out).toMatch(line);
});

test.each(["SIGTERM", "SIGINT"] as const)("%s stops the server with exit code 0, also when it arrives twice at once", async (signal) => {
  await using installation = await Installation.create();
  const server = await installation.serve();
  server.signal(signal);
  expect(await server.end(signal)).toBe(0);
  expect(server.err).toBe("");
  expect(readdirSync(installation.dataDir).sort()).toEqual(["periscope.db", "periscope.db.lock", "server.lock"]);
});

test("a later second signal ends the process at once", async () => {
  await using installation = await Installation.create({ SHUTDOWN_TIMEOUT_MS: "9500" });
  const server = await installation.serve();
  const { hostname, port, pathname } = new URL(server.baseUrl);
  const socket = connect(Number(port), hostname).on("error", () => {});
  const headers = [
    `Authorization: Bearer ${keyIn(server.out)}`,
    "Content-Type: application/json",
    "Content-Length: 9",
    "Expect: 100-continue",
  ];
  socket.write([`POST ${pathname}/context/sync HTTP/1.1`, "Host: x", ...headers, "", ""].join("\r\n"));
  // The server asks for the body, which never comes: the request is in flight.
  await once(socket, "data");
  const repeated = setInterval(() => server.signal("SIGTERM"), 100);
  expect(await server.end("SIGTERM")).toBe(1);
  clearInterval(repeated);
  socket.destroy();
});
