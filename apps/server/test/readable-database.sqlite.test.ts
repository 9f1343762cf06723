import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createMessage } from "./messages.js";
import { Installation, type ServerProcess } from "./server-process.js";

it("takes a restored database from other users, with its log, and logs a warning", async () => {
  await using installation = await Installation.create({ LOG_LEVEL: "warn" });
  let server: ServerProcess = await installation.serve();
  const client = await installation.client(() => server);
  expect((await client.sync(createMessage({ context: { id: "c" } }))).status).toBe(201);
  // Its log stays behind, as in a copy of a running server's files.
  await server.end("SIGKILL");
  const files = readdirSync(installation.dataDir)
    .filter((name) => /^periscope\.db(?:-wal|-shm)?$/.test(name))
    .map((name) => join(installation.dataDir, name));
  expect(files).toHaveLength(3);
  for (const file of files) chmodSync(file, 0o644);

  server = await installation.serve();
  for (const file of files) expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600]);
  expect((await client.get("/context/c")).status).toBe(200);
  await server.end("SIGTERM");
  const warnings = server.out.split("\n").filter((line) => line.startsWith("{"));
  expect(warnings.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { files: expect.arrayContaining(files), msg: expect.stringMatching(/other users could read/i) },
  ]);
});
