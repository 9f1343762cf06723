import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express, { type ErrorRequestHandler } from "express";
import { pino } from "pino";
import { expect, test } from "vitest";
import { unavailable } from "../domain-error.js";
import { createMetrics } from "../metrics/metrics.js";
import { describeFailure } from "../logger.js";
import { sendError } from "./answers.js";
import { requestLog } from "./request-log.js";

/** The answer to a request that fails with an error, and its line in the log. */
async function failWith(thrown: unknown): Promise<{ line: Record<string, unknown>; answer: string }> {
  const line = Promise.withResolvers<string>();
  const logger = pino({ base: null }, { write: line.resolve });
  const handler: ErrorRequestHandler = (error: unknown, _req, res, _next) => sendError(res, error);
  const app = express()
    .use(requestLog({ logger, metrics: createMetrics("0.0.0"), firstUses: { note() {} }, usage: { count() {} } }))
    .use(() => {
      throw thrown;
    })
    .use(handler);
  await using server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const answer = await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).text();
  return { line: JSON.parse(await line.promise) as Record<string, unknown>, answer };
}

const withCode = (code: string) => Object.assign(new Error("secret"), { code });

// What databases and the system report, src/storage/faults.test.ts has.
test.each<[what: string, thrown: unknown, status: number, reason?: string]>([
  ["a failing disk", withCode("SQLITE_IOERR"), 500, "The disk of the database fails."],
  ["a shortage", withCode("SQLITE_FULL"), 503, "The server's disk is full."],
  ["an expected 503", unavailable("The search took too long.", 1), 503, "The search took too long."],
  ["an unknown error", withCode("ERR_SOMETHING"), 500],
  ["a defect", new TypeError("secret"), 500],
  ["a path with broken encoding", new URIError("secret"), 400],
])("answers %s by its status, names its reason in the log, and tells nothing else", async (_, thrown, status, reason) => {
  const { line, answer } = await failWith(thrown);
  expect([line["status"], line["reason"]]).toEqual([status, reason]);
  expect(JSON.stringify(line) + answer).not.toContain("secret");
});

test("describes a failure without its message, even if that looks like frames", () => {
  const cause = Object.assign(new TypeError("Unexpected token, at\n    at secret (file.ts:1:1)\n    at secret"), { code: "E_SECRET" });
  const described = describeFailure(new RangeError("secret", { cause }));
  expect(described).toMatchObject({ kind: "RangeError", code: undefined, cause: { kind: "TypeError", code: "E_SECRET" } });
  expect(JSON.stringify(described)).not.toContain("secret");
  expect(described["frames"]).toEqual(expect.arrayContaining([expect.stringMatching(/^at .*request-log\.test\.ts/)]));
});

test("describes an error without usable stack by its kind alone", () => {
  const changed = new Error("before\n    at secret");
  // The stack is written down when it is first read.
  expect(changed.stack).toContain("at secret");
  changed.message = "something else";
  expect(describeFailure(changed)).toMatchObject({ kind: "Error", frames: [] });
  expect(describeFailure(Object.assign(new Error("secret"), { stack: undefined }))).toMatchObject({ frames: [] });
  expect(describeFailure("secret")).toEqual({ kind: "string" });
});
