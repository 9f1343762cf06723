import type { BatchResult } from "@periscope/schemas";
import { describe, expect, it } from "vitest";
import { batchAnswer, syncAnswer } from "../test/answers.js";
import { messageIds, storesBatch } from "../test/calls.js";
import { failureOf } from "../test/failure-of.js";
import { FastClock } from "../test/fast-clock.js";
import { answers, cuts, page, type Received, refuses, type Reply, ScriptedService, stalls } from "../test/scripted-service.js";
import { BatchError, type BatchOutcome, type NewMessage } from "./index.js";

const heartbeats = (count: number): NewMessage[] => Array.from({ length: count }, (_, index) => ({ type: "heartbeat", id: `m${index}` }));
const timestamp = "2026-01-31T12:00:00.000Z";
const success = (messageId: string) => ({ messageId, status: "success" as const, timestamp });
const batch = (results: BatchResult["results"]): Reply => answers(207, batchAnswer({ results }));
const raise = (message: string): never => {
  throw new Error(message);
};
const statuses = ({ items }: BatchOutcome) => items.map((item) => (item.status === "failed" ? item.code : item.status));

describe("sync", () => {
  it("gives a message its id and time once, and sends what it was then", async () => {
    using clock = new FastClock();
    using service = new ScriptedService(cuts, answers(201, syncAnswer()));
    const message = { type: "error" as const, payload: { code: "x", message: "first" } };
    await clock.play(() => {
      const call = service.client().sync(message);
      message.payload.message = "changed";
      return call;
    });
    const [first, second] = service.received.map(({ body }) => JSON.parse(body) as { id: string; timestamp: string; payload: object });
    expect(second).toEqual(first);
    expect(first).toMatchObject({ timestamp, payload: { message: "first" } });
    expect(first?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });

  it("keeps the id and time that it is given", async () => {
    using service = new ScriptedService(answers(201, syncAnswer()));
    await service.client().sync({ type: "heartbeat", id: "mine", timestamp: "2020-01-01T00:00:00Z" });
    expect(JSON.parse(service.received[0]?.body ?? "")).toEqual({ type: "heartbeat", id: "mine", timestamp: "2020-01-01T00:00:00Z" });
  });

  it("rejects what is no JSON", async () => {
    using service = new ScriptedService(answers(201, syncAnswer()));
    const message: NewMessage = { type: "config", payload: { config: { big: 1n } } };
    expect(await failureOf(service.client().sync(message))).toMatchObject({ name: "PeriscopeError", attempts: 0 });
  });
});

describe("syncAll", () => {
  it.each([
    [0, []],
    [1, [1]],
    [100, [100]],
    [101, [100, 1]],
    [250, [100, 100, 50]],
  ])("sends %i messages in batches of %j, of a list, a generator or a stream", async (count, sizes) => {
    const messages = heartbeats(count);
    const list = new Set(messages);
    async function* stream() {
      for (const message of messages) yield await Promise.resolve(message);
    }
    for (const source of [messages, list, stream()]) {
      using service = new ScriptedService(storesBatch);
      const outcome = await service.client().syncAll(source);
      expect(service.received.map((received) => messageIds(received).length)).toEqual(sizes);
      expect(outcome).toMatchObject({ synced: count, duplicates: 0, failed: 0, stoppedBy: null });
      expect(outcome.items.map(({ index, id }) => [index, id])).toEqual(messages.map(({ id }, index) => [index, id]));
      expect(outcome.throwIfFailed()).toBe(outcome);
    }
  });

  it("splits by bytes, not characters", async () => {
    using service = new ScriptedService(storesBatch);
    const message = (id: string): NewMessage => ({ id, type: "error", payload: { code: "x", message: "ä".repeat(500_000) } });
    const outcome = await service.client().syncAll(Array.from({ length: 6 }, (_, index) => message(`m${index}`)));
    expect(outcome.synced).toBe(6);
    expect(service.received.map((received) => messageIds(received).length)).toEqual([4, 2]);
    for (const { body } of service.received) expect(new TextEncoder().encode(body).length).toBeLessThan(4_300_000);
  });

  it("tells what became of each: stored, stored before, refused", async () => {
    const refused = {
      messageId: "m2",
      status: "error" as const,
      timestamp,
      error: { code: "validation_error" as const, message: "no", retryable: false },
    };
    using service = new ScriptedService(batch([{ ...success("m0"), contextId: "c0" }, { ...success("m1"), duplicate: true }, refused]));
    const outcome = await service.client().syncAll(heartbeats(3));
    expect(outcome).toMatchObject({ synced: 1, duplicates: 1, failed: 1, stoppedBy: null });
    expect(outcome.items).toEqual([
      { index: 0, id: "m0", status: "synced", contextId: "c0" },
      { index: 1, id: "m1", status: "duplicate" },
      { index: 2, id: "m2", status: "failed", code: "validation_error", message: "no", retryable: false },
    ]);
    expect(() => outcome.throwIfFailed()).toThrow(BatchError);
    expect(() => outcome.throwIfFailed()).toThrow("1 of 3 messages failed: no");
  });

  it.each<[string, BatchResult["results"], string[]]>([
    ["in another order", [success("m2"), success("m0"), { ...success("m1"), duplicate: true }], ["synced", "duplicate", "synced"]],
    ["too few", [success("m1")], ["no_result", "synced", "no_result"]],
    ["none", [], ["no_result", "no_result", "no_result"]],
    ["of others", [success("x0"), success("x1"), success("x2")], ["no_result", "no_result", "no_result"]],
    [
      "too many",
      [success("x0"), success("m0"), success("m0"), success("m1"), success("m2"), success("x1")],
      ["synced", "synced", "synced"],
    ],
    ["one of them twice", [success("m0"), success("m0"), success("m2")], ["synced", "no_result", "synced"]],
    ["without ids, though stored", heartbeats(3).map(() => ({ status: "success", timestamp })), ["no_result", "no_result", "no_result"]],
    [
      "without an id where the id was none",
      [success("m0"), { status: "error", timestamp, error: { code: "validation_error", message: "id", retryable: false } }, success("m2")],
      ["synced", "validation_error", "synced"],
    ],
  ])("believes no result but those of its own messages: %s", async (_, results, expected) => {
    using service = new ScriptedService(batch(results));
    const outcome = await service.client().syncAll(heartbeats(3));
    expect(statuses(outcome)).toEqual(expected);
    expect(outcome.synced + outcome.duplicates + outcome.failed).toBe(3);
  });

  it("passes on a code that it does not know, and what became of the others", async () => {
    const error = { code: "quota_exceeded", message: "The user has no room.", retryable: false };
    const results = [success("m0"), { messageId: "m1", status: "error", timestamp, error }, { ...success("m2"), privacyLevel: "secret" }];
    using service = new ScriptedService(answers(207, { ...batchAnswer(), results }));
    const outcome = await service.client().syncAll(heartbeats(3));
    expect(outcome).toMatchObject({ synced: 2, failed: 1, stoppedBy: null });
    expect(outcome.items[1]).toEqual({ index: 1, id: "m1", status: "failed", ...error });
  });

  it("matches messages of one id in their order", async () => {
    const reused = {
      messageId: "m0",
      status: "error" as const,
      timestamp,
      error: { code: "message_id_reused" as const, message: "no", retryable: false },
    };
    using service = new ScriptedService(batch([success("m0"), reused]));
    expect(
      statuses(
        await service.client().syncAll([
          { type: "heartbeat", id: "m0" },
          { type: "heartbeat", id: "m0", payload: {} },
        ]),
      ),
    ).toEqual(["synced", "message_id_reused"]);
  });

  it("halves a batch that is too large, and fails only the message that is too large", async () => {
    const takes =
      (bytesMax: number): Reply =>
      (received: Received) => {
        if (received.body.length <= bytesMax) return storesBatch(received);
        return page(413)(received);
      };
    using service = new ScriptedService(takes(40_000));
    const filler = (id: string, size: number): NewMessage => ({ id, type: "error", payload: { code: "x", message: "y".repeat(size) } });
    const messages = Array.from({ length: 60 }, (_, index) => filler(`m${index}`, index === 41 ? 60_000 : 5_000));
    const outcome = await service.client().syncAll(messages);
    expect(outcome).toMatchObject({ synced: 59, failed: 1, stoppedBy: null });
    expect(outcome.items[41]).toMatchObject({ id: "m41", status: "failed", code: "http_413", retryable: false });
    const stored = service.received.filter(({ body }) => body.length <= 40_000).flatMap(messageIds);
    expect(stored).toEqual(messages.flatMap(({ id }) => (id === "m41" ? [] : [id])));
    expect(service.received.slice(0, 4).map((received) => messageIds(received).length)).toEqual([60, 30, 15, 8]);
  });

  it("keeps to the size that the service names", async () => {
    const tooLarge = refuses(413, "payload_too_large", {}, { maxBytes: 30_000 });
    using service = new ScriptedService((received) => (received.body.length > 31_000 ? tooLarge : storesBatch)(received));
    const message = (index: number): NewMessage => ({ id: `m${index}`, type: "error", payload: { code: "x", message: "y".repeat(9_000) } });
    const outcome = await service.client().syncAll(Array.from({ length: 120 }, (_, index) => message(index)));
    expect(outcome.synced).toBe(120);
    // What was read before the size was known is halved; the 20 messages after it are sent at most two at a time, without a refusal.
    const later = service.received.filter((received) => messageIds(received).some((id) => Number(id.slice(1)) >= 100));
    expect(later.map((received) => messageIds(received).length)).toEqual(Array.from({ length: 10 }, () => 2));
  });

  it("ends when a batch fails as a whole, with an item for each message that was read", async () => {
    using clock = new FastClock();
    using service = new ScriptedService(storesBatch, page(502));
    let read = 0;
    let closed = false;
    function* messages(): Generator<NewMessage> {
      try {
        for (const message of heartbeats(1_000)) {
          read += 1;
          yield message;
        }
      } finally {
        closed = true;
      }
    }
    const { value } = await clock.play(() => service.client().syncAll(messages()));
    expect(value).toMatchObject({ synced: 100, failed: 100, stoppedBy: { name: "ServerError", attempts: 3 } });
    expect(value?.items[150]).toMatchObject({ index: 150, id: "m150", status: "failed", code: "http_502", retryable: true });
    expect([value?.items.length, read, closed]).toEqual([200, 200, true]);
    expect(() => value?.throwIfFailed()).toThrow("100 of 200 messages failed");
  });

  it("has an item also for the message that did not fit into the batch that failed", async () => {
    using clock = new FastClock();
    using service = new ScriptedService(cuts);
    const message = "x".repeat(1_000_000);
    const ids = ["m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7"];
    let read = 0;
    function* messages(): Generator<NewMessage> {
      for (const id of ids) {
        read += 1;
        yield { id, type: "error", payload: { code: "x", message } };
      }
    }
    const { value } = await clock.play(() => service.client().syncAll(messages()));
    expect(read).toBe(5);
    expect(value?.items.map(({ index, id, status }) => [index, id, status])).toEqual(
      ids.slice(0, read).map((id, index) => [index, id, "failed"]),
    );
  });

  it.each<[string, Reply, string, boolean]>([
    ["a cut connection", cuts, "connection_error", true],
    ["a key that may not", refuses(403, "forbidden"), "forbidden", false],
    ["a page of a login", page(200), "response_shape_error", true],
  ])("names what failed: %s", async (_, reply, code, retryable) => {
    using clock = new FastClock();
    using service = new ScriptedService(reply);
    const { value } = await clock.play(() => service.client().syncAll(heartbeats(2)));
    expect(value?.items[1]).toMatchObject({ status: "failed", code, retryable });
  });

  it("sends the others when one is no JSON", async () => {
    using service = new ScriptedService(storesBatch);
    const broken: NewMessage = { id: "broken", type: "config", payload: { config: { big: 1n } } };
    const nothing = null as unknown as NewMessage;
    const outcome = await service.client().syncAll([...heartbeats(1), broken, nothing]);
    expect(statuses(outcome)).toEqual(["synced", "periscope_error", "periscope_error"]);
  });

  it("says so when the messages cannot be read, and that those that it has can be sent again", async () => {
    using service = new ScriptedService(storesBatch);
    async function* messages(): AsyncGenerator<NewMessage> {
      for (const message of heartbeats(150)) yield await Promise.resolve(message);
      throw new Error("the disk is gone");
    }
    const outcome = await service.client().syncAll(messages());
    expect(outcome).toMatchObject({ synced: 100, failed: 50, stoppedBy: { retryable: false } });
    expect(outcome.items[100]).toMatchObject({ id: "m100", status: "failed", retryable: true });
    expect(() => outcome.throwIfFailed()).toThrow("the disk is gone");
  });

  it.each<[string, () => unknown]>([
    ["gives no promise", () => ({ done: true })],
    ["gives nothing", () => undefined],
    ["throws", () => raise("it was closed")],
    ["rejects", () => Promise.reject(new Error("it was closed"))],
  ])("keeps what it knows of a source whose end %s", async (_, end) => {
    const source = (next: () => unknown) => ({ [Symbol.asyncIterator]: () => ({ next, return: end }) }) as AsyncIterable<NewMessage>;
    using service = new ScriptedService(storesBatch);
    const [message] = heartbeats(1);
    const steps = [{ done: false, value: message }, { done: true }];
    const read = await service.client().syncAll(source(async () => steps.shift()));
    expect(read).toMatchObject({ synced: 1, failed: 0, stoppedBy: null });
    const failed = await service.client().syncAll(source(() => raise("the disk is gone")));
    expect(failed.stoppedBy?.message).toContain("the disk is gone");
  });

  it.each([{ type: "heartbeat" }, undefined])("says that it takes an array or another iterable, not %j", async (one) => {
    using service = new ScriptedService(storesBatch);
    const { stoppedBy } = await service.client().syncAll(one as unknown as NewMessage[]);
    expect(String(stoppedBy)).toBe("PeriscopeError: syncAll takes an array of messages, or another iterable.");
  });

  it("says that messages can be sent again when it is aborted while it sends them", async () => {
    const controller = new AbortController();
    using service = new ScriptedService((received) => {
      controller.abort();
      return stalls(received);
    });
    expect(await service.client().syncAll(heartbeats(1), { signal: controller.signal })).toMatchObject({
      stoppedBy: { name: "AbortedError", retryable: false },
      items: [{ id: "m0", code: "aborted_error", retryable: true }],
    });
  });

  it("leaves a source that hangs when it is aborted", async () => {
    using service = new ScriptedService(storesBatch);
    const controller = new AbortController();
    async function* messages(): AsyncGenerator<NewMessage> {
      yield { type: "heartbeat", id: "m0" };
      setImmediate(() => controller.abort());
      await new Promise(() => {});
    }
    const outcome = await service.client().syncAll(messages(), { signal: controller.signal });
    expect(outcome).toMatchObject({
      failed: 1,
      stoppedBy: { name: "AbortedError", retryable: false },
      items: [{ id: "m0", code: "aborted_error", retryable: true }],
    });
  });
});
