import type { PrivacyRules } from "@periscope/schemas";
import { expect, it } from "vitest";
import { createMessage, updateMessage } from "./messages.js";
import { parsePrometheusText } from "./prometheus-text.js";
import { rawRequest } from "./raw-request.js";
import type { ServerTasks } from "../src/worker.js";
import { type TaskOptions, WorkerPool } from "../src/workers/worker-pool.js";
import { Installation } from "./server-process.js";
import { rawFiles } from "./stored-bytes.js";
import { testEngine } from "./test-database.js";
import { TestServer } from "./test-server.js";

/**
 * Rules that the filter does not come to rest with: what is put in place of the first entry ends in `]`, and so makes one of the
 * second with what follows it, time and again, past the rounds that the filter takes.
 */
const restless: PrivacyRules = { blockedSites: [], siteRules: [], denyList: ["xylophone", "] tick"] };
const unfilterable = `A xylophone${" tick".repeat(40)}, hunter2.`;
/** The same, long enough for a worker thread. */
const longUnfilterable = `A xylophone${" tick".repeat(1_000)}, hunter2.`;

it("withholds, counts and logs what the filter fails at, without content", async () => {
  // At this level config and error messages go through the deny-list too.
  await using installation = await Installation.create({ PRIVACY_MINIMUM_LEVEL: "filtered", LOG_LEVEL: "warn" });
  const client = await installation.client(() => server);
  const server = await installation.serve();
  expect((await client.put("/privacy/rules", restless)).status).toBe(200);
  const greeting = server.out.length;

  const answer = await client.sync(createMessage({ context: { id: "c", content: unfilterable } }));
  expect(answer.body).toMatchObject({ status: "success", privacyLevel: "restricted", reasons: expect.arrayContaining(["filter:failed"]) });
  expect((await client.get("/context/c")).body).toMatchObject({ content: "", title: "[REDACTED:title]", privacyLevel: "restricted" });
  const at = { timestamp: "2026-01-31T12:00:01.000Z" };
  const error = { type: "error", code: "E1", message: unfilterable, details: { deep: unfilterable } };
  for (const payload of [{ type: "config", config: { words: unfilterable } }, error])
    expect((await client.sync({ id: `m-${payload.type}`, type: payload.type, ...at, payload })).status).toBe(201);
  // Nothing fails here, but in the update.
  expect((await client.sync(createMessage({ context: { id: "plain" } }))).body.privacyLevel).toBe("filtered");
  const updated = await client.sync(updateMessage("plain", { content: longUnfilterable }));
  expect(updated.body).toMatchObject({ status: "success", privacyLevel: "restricted" });
  expect((await client.get("/context/plain")).body).toMatchObject({ content: "", privacyLevel: "restricted" });

  const { text } = await rawRequest(new URL(server.baseUrl).origin, { path: "/metrics" });
  const metrics = parsePrometheusText(text);
  const failed = (part: string) => metrics.value("periscope_privacy_failed_closed_total", { part });
  expect({ context: failed("context"), record: failed("record"), text: failed("text") }).toEqual({
    context: expect.toSatisfy((count: number) => count > 1),
    record: 2,
    text: 1,
  });
  expect(metrics.value("periscope_privacy_contexts_total", { level: "restricted" })).toBe(2);

  expect(await server.end("SIGTERM")).toBe(0);
  const log = server.out.slice(greeting);
  const lines = log
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(new Set(lines.map(({ part }) => part))).toEqual(new Set(["context", "record", "text"]));
  const failure = expect.objectContaining({ kind: "FilterBoundsError" });
  for (const line of lines)
    expect(line).toEqual({ level: 40, time: expect.any(String), userId: client.userId, part: line.part, failure, msg: expect.any(String) });
  for (const told of [log, text]) for (const word of ["xylophone", "tick", "hunter2", "articles.example"]) expect(told).not.toContain(word);
  for (const table of ["contexts", "extensions", "extension_errors", "processed_messages"])
    expect(JSON.stringify(await installation.database.rows(`SELECT * FROM ${table}`))).not.toContain("hunter2");
  const files = rawFiles(installation.dataDir);
  const having = (text: string) => files.filter(({ bytes }) => bytes.includes(text)).map(({ file }) => file);
  expect(having(client.userId)).toEqual(testEngine() === "sqlite" ? ["periscope.db"] : []);
  expect(having("hunter2")).toEqual([]);
});

/** Threads that give the filter a millisecond of processor time. */
class HastyThreads extends WorkerPool<ServerTasks> {
  override run<Name extends keyof ServerTasks>(name: Name, input: ServerTasks[Name]["input"], options: TaskOptions) {
    return super.run(name, input, name === "filter" ? { ...options, cpuMsMax: 1 } : options);
  }
}

it("withholds a page that takes too long to filter, and accepts its replay", async () => {
  await using threads = new HastyThreads(2);
  await using server = await TestServer.start({}, {}, threads);
  const client = await server.client();
  const message = createMessage({ context: { id: "slow", content: "Password hunter2\n".repeat(60_000) } });
  const answer = await client.sync(message);
  expect(answer.body).toMatchObject({ status: "success", privacyLevel: "restricted", reasons: expect.arrayContaining(["too_complex"]) });
  expect((await client.get("/context/slow")).body).toMatchObject({ content: "", title: "[REDACTED:title]", privacyLevel: "restricted" });
  expect((await client.get("/context/search?query=password")).body.total).toBe(0);
  expect((await client.sync(message)).body).toMatchObject({ status: "success", duplicate: true, privacyLevel: "restricted" });
  const { text } = await rawRequest(new URL(server.baseUrl).origin, { path: "/metrics" });
  expect(parsePrometheusText(text).value("periscope_privacy_failed_closed_total", { part: "context" })).toBe(2);
});
