import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cli, Installation } from "./server-process.js";
import { SmallDisk } from "./small-disk.js";

/** Starts the built server with all that it prints in a file, and waits until it listens; its address, and what ends it by SIGTERM. */
async function serveInto(file: string, { dataDir, env }: Installation) {
  const log = openSync(file, "a");
  const child = spawn(process.execPath, [cli, "serve"], { env, stdio: ["ignore", log, log] });
  closeSync(log);
  const ended = once(child, "exit");
  const info = join(dataDir, "server.json");
  const address = () => (existsSync(info) ? (JSON.parse(readFileSync(info, "utf8")).address as string | undefined) : undefined);
  await expect.poll(address, { timeout: 60_000 }).toBeDefined();
  return {
    baseUrl: address() ?? "",
    async stop() {
      child.kill("SIGTERM");
      return (await ended)[0] as unknown;
    },
    [Symbol.dispose]: () => void child.kill("SIGKILL"),
  };
}

it.for(["json", "pretty"])(
  "serves and stops while the disk under its %s log is full, and logs again once there is room",
  async (format, { skip }) => {
    using disk = SmallDisk.mount(1);
    if (disk === null) return skip("This user may not mount a file system.");
    const log = join(disk.path, "server.log");
    await using installation = await Installation.create({ LOG_LEVEL: "info", LOG_FORMAT: format });
    const client = await installation.client((): never => {
      throw new Error("Only its key is used.");
    });
    using server = await serveInto(log, installation);
    const read = async () => (await fetch(`${server.baseUrl}/key`, { headers: { Authorization: `Bearer ${client.key}` } })).status;
    const logged = () => readFileSync(log, "utf8");
    expect(await read()).toBe(200);
    await expect.poll(logged).toContain("/key");

    disk.fill(0);
    // Lines for more than the page of the file that is begun.
    for (let request = 0; request < 100; request++) expect(await read()).toBe(200);
    disk.makeRoom();
    const before = logged().length;
    expect(await read()).toBe(200);
    await expect.poll(() => logged().slice(before)).toContain("/key");

    disk.fill(0);
    for (let request = 0; request < 100; request++) expect(await read()).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(logged()).not.toContain("stopped");
  },
);
