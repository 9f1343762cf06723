import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { BatchEnvelope, type BatchEnvelope as Batch } from "@periscope/schemas";
import { expect, test } from "vitest";
import { ApiClient, waitMs } from "../api-client.ts";
import type { Page } from "../pages/page.ts";
import { batchesOf } from "./batches.ts";
import { syncPages } from "./sync-pages.ts";

const pages = Array.from({ length: 150 }, (_, index): Page => ({
  url: `https://x.dev/${index}`,
  title: `Page ${index}`,
  format: "markdown",
  content: "text",
  truncated: index === 0,
  origin: { file: `${index}.md` },
}));

/** A server on a free port that answers by `reply`; it keeps what it was sent. */
async function serverOf(reply: (batch: Batch, response: ServerResponse) => void) {
  const batches: Batch[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const batch = BatchEnvelope.parse(JSON.parse(Buffer.concat(await request.toArray()).toString()));
    batches.push(batch);
    reply(batch, response);
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { baseUrl, batches, [Symbol.asyncDispose]: async () => void server.close() };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

test("pages go in batches that the contract accepts, newest last, and failures are counted by reason", async () => {
  await using server = await serverOf((batch, response) => {
    const results = batch.messages.map(({ id }, index) =>
      index === 0
        ? {
            messageId: id,
            status: "error",
            timestamp: "2026-01-01T00:00:00.000Z",
            error: { code: "privacy_rejected", message: "blocked", retryable: false },
          }
        : { messageId: id, status: "success", timestamp: "2026-01-01T00:00:00.000Z", privacyLevel: "private", redactions: { email: 2 } },
    );
    send(response, 207, { messageId: batch.id, status: "partial", results, synced: results.length - 1, failed: 1 });
  });
  const progress: number[] = [];
  const tally = await syncPages(new ApiClient(server.baseUrl, "psk_x"), pages, (done) => progress.push(done));
  expect(tally).toMatchObject({ synced: 148, failed: 2, requests: 2 });
  expect(tally.failures).toEqual(new Map([["privacy_rejected: blocked", 2]]));
  expect(tally.redactions).toEqual(new Map([["email", 296]]));
  expect(progress).toEqual([100, 150]);
  const created = server.batches.flatMap(({ messages }) => messages).filter((message) => message.type === "create");
  expect(new Set(created.map(({ payload }) => payload.context.id)).size).toBe(150);
  expect(created[0]?.payload.context.metadata).toEqual({ file: "0.md", truncated: true });
  const captured = created.map(({ payload }) => Date.parse(payload.context.capturedAt));
  expect(captured).toEqual(captured.toSorted((a, b) => a - b));
});

test("a refusal ends the sync with what the server said", async () => {
  await using server = await serverOf((_, response) => send(response, 403, { error: "forbidden", message: "No write scope." }));
  await expect(syncPages(new ApiClient(server.baseUrl, "psk_x"), pages, () => undefined)).rejects.toThrow(
    "POST /context/batch-sync was answered 403 forbidden: No write scope.",
  );
});

test("a rate limit is waited out, then the same batch is sent again", async () => {
  let refusals = 1;
  await using server = await serverOf((batch, response) => {
    if (refusals > 0) {
      refusals -= 1;
      response.setHeader("X-RateLimit-Reset", String(Math.ceil(Date.now() / 1_000)));
      send(response, 429, { error: "rate_limited", message: "Wait." });
      return;
    }
    send(response, 207, { messageId: batch.id, status: "partial", results: [], synced: 0, failed: 0 });
  });
  await syncPages(new ApiClient(server.baseUrl, "psk_x"), pages.slice(0, 1), () => undefined);
  expect(server.batches[0]).toEqual(server.batches[1]);
});

test.each([
  ["1030", 30_000],
  ["900", 1_000],
  ["99999", 120_000],
  ["soon", 1_000],
])("a window that resets at %s is waited for %i ms", (reset, expected) => {
  expect(waitMs(new Headers({ "x-ratelimit-reset": reset }), 1_000_000)).toBe(expected);
});

test("batches hold what fits, and nothing is lost", () => {
  const messages = ["aa", "bb", "é".repeat(10), "cc", "dd"];
  const batches = [...batchesOf(messages, { countMax: 2, bytesMax: 10 })];
  expect(batches).toEqual([["aa", "bb"], ["é".repeat(10)], ["cc", "dd"]]);
});
