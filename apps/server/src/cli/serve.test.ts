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

  test("keeps what it makes to its user", async () => {
    await using installation = await Installation.create();
    await installation.serve();
    const modes = readdirSync(installation.dataDir).map((name) => statSync(join(installation.dataDir, name)).mode & 0o077);
    expect(modes).not.toEqual([]);
    expect(new Set(modes)).toEqual(new Set([0]));
  });
});

test("a later start shows no secret, says how to make a key, and keeps the first key valid", async () => {
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

test("an installation with a user already is not at its first start", async () => {
  await using installation = await Installation.create();
  await installation.run("users", "create", "ada");
  expect((await installation.serve()).out).not.toContain("psk_");
});

describe("one server a data directory and a database", () => {
  test("the second is refused and names the first, which serves on", async () => {
    await using installation = await Installation.create();
    const first = await installation.serve();
    const { code, out, err } = await installation.run("serve");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    for (const fact of [installation.dataDir, `process ${first.pid}`, first.baseUrl]) expect(err).toContain(fact);
    expect((await fetch(`${first.baseUrl}/openapi.json`)).status).toBe(200);
  });

  test("a second one on the same database is refused, though its data directory is another", async () => {
    await using installation = await Installation.create();
    const first = await installation.serve();
    const database = join(installation.dataDir, "periscope.db");
    const second = ["--data-dir", join(installation.dataDir, "other"), "--database-url", `file:${database}`];
    const { code, out, err } = await installation.run("serve", ...second);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(`is using the database ${database} already. Stop it first`);
    expect((await fetch(`${first.baseUrl}/openapi.json`)).status).toBe(200);
  });

  test("after kill -9 the next one starts at once", async () => {
    await using installation = await Installation.create();
    const first = await installation.serve();
    expect(await first.end("SIGKILL")).toBeNull();
    const second = await installation.serve();
    expect((await fetch(`${second.baseUrl}/openapi.json`)).status).toBe(200);
  });

  test("doctor finds the running server and all well", async () => {
    await using installation = await Installation.create();
    const { pid, baseUrl } = await installation.serve();
    const { code, out } = await installation.run("doctor");
    expect(code).toBe(0);
    expect(out).toContain(`running on this data directory (process ${pid}, ${baseUrl})`);
  });
});

describe("signals", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("%s ends it with 0, and nothing of it is left", async (signal) => {
    await using installation = await Installation.create();
    const server = await installation.serve();
    expect(await server.end(signal)).toBe(0);
    expect(server.err).toBe("");
    expect(readdirSync(installation.dataDir).sort()).toEqual(["periscope.db", "periscope.db.lock", "server.lock"]);
  });

  test("Ctrl-C that arrives twice in a moment is one", async () => {
    await using installation = await Installation.create();
    const server = await installation.serve();
    server.signal("SIGINT");
    expect(await server.end("SIGINT")).toBe(0);
  });

  test("a second one, meant as such, does not wait for what is in flight", async () => {
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

test("keys made and revoked while it runs take effect at once", async () => {
  await using installation = await Installation.create();
  const { baseUrl } = await installation.serve();
  const { out } = await installation.run("keys", "create", "--user", "ada", "--scopes", "read", "--json");
  const { key, id } = JSON.parse(out);
  expect(await status(`${baseUrl}/context/history`, key)).toBe(200);
  await installation.run("keys", "revoke", id);
  expect(await status(`${baseUrl}/context/history`, key)).toBe(401);
});

test("a port that is taken ends the start with what to do", async () => {
  await using installation = await Installation.create();
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const { code, out, err } = await installation.run("serve", "--port", String(port));
  other.close();
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toBe(`127.0.0.1:${port} is in use by another program. Stop that, or choose another port: --port 0 takes a free one.\n`);
});

test("flags that name the data are part of the printed commands", async () => {
  await using installation = await Installation.create();
  await installation.run("users", "create", "--data-dir", installation.dataDir);
  const { out } = await installation.serve("--data-dir", installation.dataDir);
  expect(out).toContain(`keys create --user USER --scopes read,write,delete --data-dir ${installation.dataDir}\n`);
});
