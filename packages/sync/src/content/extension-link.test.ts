import { expect, test } from "vitest";
import type { HeartbeatRequest } from "../protocol.js";
import { manualClock } from "../../test/testing/index.js";
import { ask, type ContentApis } from "./extension-link.js";

const request: HeartbeatRequest = { periscope: 1, kind: "heartbeat", id: "one", timestamp: "2026-01-31T12:00:00Z", contextId: "c1" };
const taken = { periscope: 1, ok: true, value: { status: "queued", id: "one" } };

/** Asks a background whose answers are given, one a try; resolves with what came, and all that was sent. */
async function asked(answers: readonly (() => Promise<unknown>)[], { advanceMs = [200] }: { advanceMs?: readonly number[] } = {}) {
  const clock = manualClock();
  const sent: unknown[] = [];
  const apis: ContentApis = {
    runtime: {
      id: "extension",
      sendMessage: async (message) => {
        sent.push(message);
        return await (answers[sent.length - 1] ?? never)();
      },
    },
  };
  const outcome = ask(request, apis, { timeoutMs: 5_000, after: (ms, call) => clock.after(ms, call) });
  for (const ms of advanceMs) {
    await new Promise((resolve) => setTimeout(resolve));
    clock.advance(ms);
  }
  return { outcome: await outcome, sent };
}

const never = () => new Promise(() => {});
const dies = () => Promise.reject(new Error("The message channel closed before a response was received."));

test("an answer that is lost is asked for once more, in the same words", async () => {
  for (const lost of [dies, async () => undefined]) {
    expect(await asked([lost, async () => taken])).toEqual({ outcome: taken.value, sent: [request, request] });
  }
});

test("repeats an unanswered request once", async () => {
  expect(await asked([never, async () => taken], { advanceMs: [3_000, 100] })).toEqual({ outcome: taken.value, sent: [request, request] });
});

test("without any answer it ends, at the latest when the time is up", async () => {
  const silent = await asked([never, never], { advanceMs: [3_000, 100, 1_900] });
  expect(silent).toMatchObject({ outcome: { status: "unavailable", reason: "no-answer" }, sent: [request, request] });
  const dead = await asked([dies, dies]);
  expect(dead).toMatchObject({ outcome: { status: "unavailable", reason: "no-answer" }, sent: [request, request] });
});

test("a script whose extension is gone says so, and sends nothing more", async () => {
  const invalidated = await asked([() => Promise.reject(new Error("Extension context invalidated."))]);
  expect(invalidated).toMatchObject({ outcome: { status: "unavailable", reason: "orphaned" }, sent: [request] });
  const after = () => () => {};
  for (const apis of [{}, { runtime: {} }, { runtime: { id: undefined, sendMessage: dies } }]) {
    expect(await ask(request, apis, { timeoutMs: 5_000, after })).toMatchObject({ status: "unavailable", reason: "orphaned" });
  }
});

test("a request that the background refuses is not repeated", async () => {
  const { outcome, sent } = await asked([async () => ({ periscope: 1, ok: false, error: "The request was refused: no." })]);
  expect(outcome).toEqual({ status: "unavailable", reason: "refused", message: "The request was refused: no." });
  expect(sent).toHaveLength(1);
});
