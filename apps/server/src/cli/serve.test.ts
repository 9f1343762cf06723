import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Installation } from "../../test/server-process.js";

// Each test starts processes, which takes seconds.
const status = async (url: string, key: string) => (await fetch(url, { headers: { Authorization: `Bearer ${key}` } })).status;

describe("the first start", () => {
  test("prints curl lines that sync a page and find it", async () => {
    await using installation = await Installation.create();
    const server = await installation.serve();
    const [sync, search] = server.out.split("\n").filter((line) => line.startsWith("curl "));
    const paste = (line: string | undefined) => JSON.parse(execFileSync("sh", ["-c", line ?? ""], { encoding: "utf8" }));
    const synced = paste(sync);
    expect(synced).toMatchObject({ status: "success", contextId: expect.any(String) });
    expect(paste(search)).toMatchObject({ total: 1, results: [{ contextId: synced.contextId, url: "https://example.com/lighthouses" }] });
    expect(paste(sync)).toMatchObject({ duplicate: true });
  });

  test("creates files that only their owner can read", async () => {
    await using installation = await Installation.create();
    await installation.serve();
    const modes = readdirSync(installation.dataDir).map((name) => statSync(join(installation.dataDir, name)).mode & 0o077);
    expect(modes).not.toEqual([]);
    expect(new Set(modes)).toEqual(new Set([0]));
  });
});

test("a later start shows no key, and the first key stays valid", async () => {
  await using installation = await Installation.create();
  const first = await installation.serve();
  const [key = ""] = /psk_\w+/.exec(first.out) ?? [];
  await first.end("SIGTERM");
  const second = await installation.serve();
  expect(second.out).not.toContain("psk_");
  expect(second.out).toMatch(/^periscope keys create --user USER --scopes read,write,delete$/m);
  expect(second.out).toContain(`${second.baseUrl}/docs`);
  expect(await status(`${second.baseUrl}/context/history`, key)).toBe(200);
});

test("creates no first key when there is a user", async () => {
  await using installation = await Installation.create();
  await installation.run("users", "create", "ada");
  expect((await installation.serve()).out).not.toContain("psk_");
});

describe("one server per data directory and database", () => {
  test("rejects a second server and names the first", async () => {
    await using installation = await Installation.create();
    const first = await installation.serve();
    const { code, out, err } = await installation.run("serve");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    for (const fact of [installation.dataDir, `process ${first.pid}`, first.baseUrl]) expect(err).toContain(fact);
    expect((await fetch(`${first.baseUrl}/openapi.json`)).status).toBe(200);
  });

  test("rejects a second server on the same database", async () => {
    await using installation = await Installation.create();
    const first = await installation.serve();
    const database = join(installation.dataDir, "periscope.db");
    const second = ["--data-dir", join(installation.dataDir, "other"), "--database-url", `file:${database}`];
    const { code, out, err } = await installation.run("serve", ...second);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(`uses the database ${database}. Stop it`);
    expect((await fetch(`${first.baseUrl}/openapi.json`)).status).toBe(200);
  });

  test("starts at once after kill -9", async () => {
    await using installation = await Installation.create();
    const first = await installation.serve();
    expect(await first.end("SIGKILL")).toBeNull();
    const second = await installation.serve();
    expect((await fetch(`${second.baseUrl}/openapi.json`)).status).toBe(200);
  });

  test("doctor finds the running server", async () => {
    await using installation = await Installation.create();
    const { pid, baseUrl } = await installation.serve();
    const { code, out } = await installation.run("doctor");
    expect(code).toBe(0);
    expect(out).toContain(`running on this data directory (process ${pid}, ${baseUrl})`);
  });
});

describe("signals", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("%s stops the server with exit code 0", async (signal) => {
    await using installation = await Installation.create();
    const server = await installation.serve();
    expect(await server.end(signal)).toBe(0);
    expect(server.err).toBe("");
    expect(readdirSync(installation.dataDir).sort()).toEqual(["periscope.db", "periscope.db.lock", "server.lock"]);
  });

  test("treats two SIGINTs within a moment as one", async () => {
    await using installation = await Installation.create();
    const server = await installation.serve();
    server.signal("SIGINT");
    expect(await server.end("SIGINT")).toBe(0);
  });

  test("a second signal ends the process at once", async () => {
    await using installation = await Installation.create({ SHUTDOWN_TIMEOUT_MS: "9500" });
    const server = await installation.serve();
    const [key = ""] = /psk_\w+/.exec(server.out) ?? [];
    const { hostname, port, pathname } = new URL(server.baseUrl);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.write(
      `POST ${pathname}/context/sync HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`,
    );
    // The server asks for the body, which never comes: the request is in flight.
    await once(socket, "data");
    server.signal("SIGTERM");
    // Once it refuses others it has heard the first, and half a second later another is a second one.
    while ((await status(`${server.baseUrl}/context/history`, key)) !== 503) await pause(10);
    await pause(700);
    expect(await server.end("SIGTERM")).toBe(1);
    socket.destroy();
  });
});

test("keys created and revoked while it runs take effect at once", async () => {
  await using installation = await Installation.create();
  const { baseUrl } = await installation.serve();
  const { out } = await installation.run("keys", "create", "--user", "ada", "--scopes", "read", "--json");
  const { key, id } = JSON.parse(out);
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
  expect(err).toBe(`127.0.0.1:${port} is in use by another program. Stop it, or choose another port: --port 0 picks a free one.\n`);
});

test("repeats the data flags in the printed commands", async () => {
  await using installation = await Installation.create();
  await installation.run("users", "create", "--data-dir", installation.dataDir);
  const { out } = await installation.serve("--data-dir", installation.dataDir);
  expect(out).toContain(`keys create --user USER --scopes read,write,delete --data-dir ${installation.dataDir}\n`);
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
