import { spawn } from "node:child_process";
import { Agent, request } from "node:http";
import { expect, it } from "vitest";
import { createMessage } from "./messages.js";
import { RawConnection } from "./raw-connection.js";
import { cli, Installation, ServerProcess } from "./server-process.js";

it("answers 201 or 503 to a valid sync while no file descriptor is left", async () => {
  await using installation = await Installation.create();
  const { env } = installation;
  const server = new ServerProcess(spawn("sh", ["-c", 'ulimit -n 80 && exec "$0" "$@"', process.execPath, cli, "serve"], { env }));
  try {
    await server.listening;
    const { key } = await installation.client(() => server);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const accepted = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
    /** Status and Retry-After of the answer. */
    const post = (path: string, body: unknown) =>
      new Promise<string>((resolve, reject) => {
        const options = { method: "POST", agent, headers: { Authorization: `Bearer ${key}`, ...accepted } };
        const asked = request(new URL(path, server.baseUrl), options, (answer) => {
          answer.resume().once("end", () => resolve(`${answer.statusCode} ${answer.headers["retry-after"]}`));
        });
        asked.on("error", reject).end(JSON.stringify(body));
      });
    const sync = (content: string) => post("/api/v1/context/sync", createMessage({ context: { content } }));
    const listTools = () => post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
    // Opens the connection that is used from here on.
    expect(await post("/healthz", "")).toMatch("405");

    const others = Array.from({ length: 120 }, () => RawConnection.open(server.baseUrl));
    // The kernel accepts more connections than the server can open: the last ones are closed.
    await Promise.race(others.map(({ closed }) => closed));
    for (const answer of [await sync("short"), await sync("long ".repeat(100_000)), await listTools()])
      expect(answer).toMatch(/^(?:20[01] undefined|503 [1-9]\d*)$/);
    for (const other of others) other[Symbol.dispose]();
    await expect.poll(() => sync("long ".repeat(100_000)), { timeout: 30_000, interval: 100 }).toMatch("201");
    expect(await listTools()).toMatch("200");
    agent.destroy();
  } finally {
    await server.end("SIGKILL");
  }
});
