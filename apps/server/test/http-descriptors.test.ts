import { spawn } from "node:child_process";
import { Agent, request } from "node:http";
import { expect, it, vi } from "vitest";
import { createMessage } from "./messages.js";
import { RawConnection } from "./raw-connection.js";
import { cli, Installation, ServerProcess } from "./server-process.js";

it("answers 201 or 503 to a valid sync while no file descriptor is left", async () => {
  await using installation = await Installation.create();
  const { env } = installation;
  const child = spawn("sh", ["-c", 'ulimit -n 80 && exec "$0" "$@"', process.execPath, cli, "serve"], { env });
  const server = new ServerProcess(child);
  try {
    await server.listening;
    const { key } = await installation.client(() => server);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = (path: string, body: string) =>
      new Promise<{ status: number; retryAfter: string | undefined }>((resolve, reject) => {
        const headers = {
          Authorization: `Bearer ${key}`,
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
        };
        const url = new URL(path, server.baseUrl);
        const asked = request(url, { method: "POST", agent, headers }, (answer) => {
          const { statusCode: status = 0, headers } = answer;
          answer.resume().once("end", () => resolve({ status, retryAfter: headers["retry-after"] }));
        });
        asked.on("error", reject).end(body);
      });
    const sync = (content: string) => post("/api/v1/context/sync", JSON.stringify(createMessage({ context: { content } })));
    const listTools = () => post("/mcp", JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }));
    // Opens the connection that is used from here on.
    expect((await post("/healthz", "")).status).toBe(405);

    const others = Array.from({ length: 120 }, () => RawConnection.open(server.baseUrl));
    // The kernel accepts more connections than the server can open: the last ones are closed.
    await Promise.race(others.map(({ closed }) => closed));
    for (const answer of [await sync("short"), await sync("long ".repeat(100_000)), await listTools()])
      expect(`${answer.status} ${answer.retryAfter}`).toMatch(/^(?:20[01] undefined|503 [1-9]\d*)$/);
    for (const other of others) other[Symbol.dispose]();
    await vi.waitFor(async () => expect((await sync("long ".repeat(100_000))).status).toBe(201), { timeout: 30_000, interval: 100 });
    expect((await listTools()).status).toBe(200);
    agent.destroy();
  } finally {
    await server.end("SIGKILL");
  }
});
