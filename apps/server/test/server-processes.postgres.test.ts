import { readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { createMessage } from "./messages.js";
import { readMetrics } from "./prometheus-text.js";
import { Installation, type ServerProcess } from "./server-process.js";

/** Processes that this one has started, as Linux lists them. */
const childrenOf = ({ pid }: ServerProcess): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);

it("serves by several processes on one port, and survives the loss of one", async () => {
  await using installation = await Installation.create({ SERVER_PROCESSES: "3", PERISCOPE_HEADLESS: "true" });
  const server = await installation.serve();
  expect(new Set(server.out.match(/psk_\w+/g)).size).toBe(1);
  const client = await installation.client(() => server);
  const children = childrenOf(server);
  expect(children).toHaveLength(3);
  const messages = Array.from({ length: 60 }, () => createMessage({ context: { id: undefined } }));
  const answers = await Promise.all([...messages, ...messages].map((message) => client.syncUntilTaken(message)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(answers.filter(({ body }) => body.duplicate === true)).toHaveLength(messages.length);
  expect(new Set(answers.map(({ body }) => body.contextId)).size).toBe(messages.length);

  // Whichever process is asked tells the counts of all, but for one that is too slow to tell its own.
  for (let round = 0; round < 6; round++)
    await vi.waitFor(async () => {
      const metrics = await readMetrics(server);
      const told = metrics.samples.filter(({ name }) => name === "process_resident_memory_bytes").map(({ labels }) => labels["process"]);
      expect(new Set(told)).toEqual(new Set(["1", "2", "3"]));
      expect(metrics.value("periscope_http_requests_total", { route: "/context/sync", status: "201" })).toBe(answers.length);
    }, 60_000);

  process.kill(children[0]!, "SIGKILL");
  await vi.waitFor(() => expect(childrenOf(server).filter((pid) => !children.includes(pid))).toHaveLength(1), 60_000);
  expect(server.err).toContain(`Server process ${children[0]} crashed (SIGKILL)`);
  await vi.waitFor(async () => expect((await client.get("/context/history?limit=1")).body.total).toBe(messages.length), 60_000);

  const left = childrenOf(server);
  expect(await server.end("SIGTERM")).toBe(0);
  for (const pid of left) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});
