import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Installation } from "../../test/server-process.js";

const keyIn = (text: string) => /psk_\w+/.exec(text)?.[0] ?? "";
const modesIn = (directory: string) => readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o077);

test("prints the setup address with a new token at each start until there is an owner", async () => {
  await using installation = await Installation.create();
  const tokens: string[] = [];
  for (let start = 0; start < 2; start++) {
    const server = await installation.serve();
    const origin = new URL(server.baseUrl).origin;
    const [, token = ""] = server.out.match(new RegExp(`^  ${origin}/setup#([\\w-]{43})$`, "m")) ?? [];
    tokens.push(token);
    const answers = tokens.map(async (each) => {
      const headers = { Origin: origin, "Content-Type": "application/json" };
      const request = { method: "POST", headers, body: JSON.stringify({ token: each }) };
      return (
        (await (await fetch(new URL("/portal/trpc/setup.begin", origin), request)).json()) as { result: { data: { isValid: boolean } } }
      ).result.data.isValid;
    });
    expect(await Promise.all(answers)).toEqual([false, true].slice(-tokens.length));
    expect(server.out).not.toContain("psk_");
    expect(await server.end("SIGTERM")).toBe(0);
  }
  expect((await installation.run("users", "list")).out).toBe("No users yet.\n");
});

test("prints curl commands that work, and after kill -9 accepts the first key", async () => {
  await using installation = await Installation.create({ PERISCOPE_HEADLESS: "true" });
  const first = await installation.serve();
  const [sync, search] = first.out.split("\n").filter((line) => line.startsWith("curl "));
  const paste = (line: string | undefined) => JSON.parse(execFileSync("sh", ["-c", line ?? ""], { encoding: "utf8" }));
  const synced = paste(sync);
  expect(synced).toMatchObject({ status: "success", contextId: expect.any(String) });
  expect(paste(search)).toMatchObject({ total: 1, results: [{ contextId: synced.contextId, url: "https://example.com/lighthouses" }] });
  expect(paste(sync)).toMatchObject({ duplicate: true });
  expect(new Set(modesIn(installation.dataDir))).toEqual(new Set([0]));

  expect(await first.end("SIGKILL")).toBeNull();
  const second = await installation.serve("--data-dir", installation.dataDir);
  expect(second.out).not.toContain("psk_");
  expect(second.out).not.toContain("Portal:");
  expect(second.out).toContain(`\nperiscope keys create --user USER --scopes read,write,delete --data-dir ${installation.dataDir}\n`);
  const headers = { Authorization: `Bearer ${keyIn(first.out)}` };
  expect((await fetch(`${second.baseUrl}/context/history`, { headers })).status).toBe(200);
  second.signal("SIGINT");
  expect(await second.end("SIGINT")).toBe(0);
  expect(second.err).toBe("");
  expect(readdirSync(installation.dataDir).sort()).toEqual(["periscope.db", "periscope.db.lock", "server.lock"]);
});

test("rejects a second server on the same data directory or database", async () => {
  await using installation = await Installation.create({ LOG_LEVEL: "info", LOG_FORMAT: "pretty" });
  const first = await installation.serve("--host", "0.0.0.0");
  await expect.poll(() => first.err).toMatch(/^HOST is 0\.0\.0\.0, without TLS: .*PUBLIC_URL.*\n$/);
  const sameDirectory = await installation.run("serve");
  expect(sameDirectory).toMatchObject({ code: 1, out: "" });
  for (const fact of [installation.dataDir, `process ${first.pid}`, first.baseUrl]) expect(sameDirectory.err).toContain(fact);
  const database = join(installation.dataDir, "periscope.db");
  const otherDirectory = ["--data-dir", join(installation.dataDir, "other")];
  const sameDatabase = await installation.run("serve", ...otherDirectory, "--database-url", `file:${database}`);
  expect(sameDatabase).toMatchObject({ code: 1, out: "", err: expect.stringContaining(`uses the database ${database}. Stop it`) });
  const doctor = await installation.run("doctor");
  expect(doctor).toMatchObject({ code: 0, out: expect.stringContaining(`(process ${first.pid}, ${first.baseUrl})`) });
  await fetch(new URL("/healthz", first.baseUrl));
  expect(await first.end("SIGTERM")).toBe(0);
  expect(first.out).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: GET \/healthz 200 in [\d.]+ ms/m);
});

test("a later second signal ends the process at once", async () => {
  await using installation = await Installation.create({ SHUTDOWN_TIMEOUT_MS: "9500", PERISCOPE_HEADLESS: "true" });
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
