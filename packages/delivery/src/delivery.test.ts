import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { backoffMs, decide, type Decision, newMessageId, type Outcome, retryAfterMs, statedWaitMs } from "./index.js";

const now = Date.parse("2026-01-31T12:00:00Z");
const half = () => 0.5;
const answer = (status: number, headers: Record<string, string> = {}): Outcome => ({ status, headers: new Headers(headers) });
const after = (outcome: Outcome, idempotent = true): Decision => decide({ outcome, attempt: 1, now, random: half, idempotent });
const anyUnit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe("decide", () => {
  const backoff = { action: "retry", afterMs: 750 };
  const rejected = { action: "give-up", reason: "rejected" };
  const unsafe = { action: "give-up", reason: "unsafe" };
  const cases: [string, Outcome, Decision, Decision][] = [
    ["200", answer(200), { action: "done" }, { action: "done" }],
    ["201", answer(201), { action: "done" }, { action: "done" }],
    ["204", answer(204), { action: "done" }, { action: "done" }],
    ["207", answer(207), { action: "done" }, { action: "done" }],
    ["304", answer(304), rejected, rejected],
    ["400", answer(400), rejected, rejected],
    ["401", answer(401), { action: "refresh-auth" }, { action: "refresh-auth" }],
    ["403", answer(403), rejected, rejected],
    ["404", answer(404), rejected, rejected],
    ["408", answer(408), backoff as Decision, unsafe as Decision],
    ["409", answer(409), rejected, rejected],
    ["413", answer(413, { "X-RateLimit-Reset": "1769860860" }), { action: "split" }, { action: "split" }],
    ["415", answer(415), rejected, rejected],
    ["425", answer(425), backoff as Decision, unsafe as Decision],
    ["429", answer(429), backoff as Decision, backoff as Decision],
    ["429 with its time", answer(429, { "Retry-After": "7" }), { action: "retry", afterMs: 7_125 }, { action: "retry", afterMs: 7_125 }],
    ["500", answer(500), backoff as Decision, unsafe as Decision],
    ["501", answer(501), rejected, rejected],
    ["502", answer(502), backoff as Decision, unsafe as Decision],
    ["503, its time", answer(503, { "Retry-After": "3" }), { action: "retry", afterMs: 3_125 }, unsafe as Decision],
    ["503, the window's time", answer(503, { "X-RateLimit-Reset": "1769860860" }), backoff as Decision, unsafe as Decision],
    ["504", answer(504), backoff as Decision, unsafe as Decision],
    ["505", answer(505), rejected, rejected],
    ["a cut connection", { error: "network" }, backoff as Decision, unsafe as Decision],
    ["no answer in time", { error: "timeout" }, backoff as Decision, unsafe as Decision],
    ["an abort", { error: "aborted" }, { action: "give-up", reason: "aborted" }, { action: "give-up", reason: "aborted" }],
  ] as [string, Outcome, Decision, Decision][];

  it.each(cases)("%s", (_, outcome, repeatable, unrepeatable) => {
    expect(after(outcome)).toEqual(repeatable);
    expect(after(outcome, false)).toEqual(unrepeatable);
  });

  it("repeats nothing that may have taken effect, unless a repeat is safe", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.nat(50), anyUnit, (status, attempt, unit) => {
        const { action } = decide({ outcome: answer(status === 101 ? 200 : status), attempt, now, random: () => unit, idempotent: false });
        expect(action === "retry").toBe(status === 429);
      }),
    );
  });

  it("waits as long as was stated, at most twice that, and about an hour at most", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.constantFrom(429, 503), anyUnit, (seconds, status, unit) => {
        const headers = { "Retry-After": String(seconds) };
        const decision = decide({ outcome: answer(status, headers), attempt: 1, now, random: () => unit, idempotent: true });
        const stated = Math.min(seconds * 1_000, 3_600_000);
        expect(decision.action === "retry" && decision.afterMs >= stated && decision.afterMs <= Math.min(2 * stated, 3_600_250)).toBe(true);
      }),
    );
  });
});

describe("retryAfterMs", () => {
  const seconds = now / 1_000;
  test.each([
    ["whole seconds", { "Retry-After": "5" }, 5_000],
    ["an HTTP date", { "Retry-After": "Sat, 31 Jan 2026 12:00:09 GMT" }, 9_000],
    ["a date that has passed", { "Retry-After": "Sat, 31 Jan 2026 11:00:00 GMT" }, 1_000],
    ["zero", { "Retry-After": "0" }, 1_000],
    ["a huge number", { "Retry-After": "99999999999" }, 3_600_000],
    ["a number past all numbers", { "Retry-After": "9".repeat(400) }, 3_600_000],
    ["a negative number", { "Retry-After": "-5" }, undefined],
    ["nothing in it", { "Retry-After": "" }, undefined],
    ["words", { "Retry-After": "soon" }, undefined],
    ["absent", {}, undefined],
    ["a reset in seconds", { "X-RateLimit-Reset": String(seconds + 30) }, 30_000],
    ["a reset in milliseconds", { "X-RateLimit-Reset": String(now + 30_000) }, 30_000],
    ["a reset as an ISO date", { "X-RateLimit-Reset": "2026-01-31T12:00:30Z" }, 30_000],
    ["a reset that has passed", { "X-RateLimit-Reset": String(seconds - 30) }, 1_000],
    ["a reset that is no time", { "X-RateLimit-Reset": "-1" }, undefined],
    ["a reset near zero", { "X-RateLimit-Reset": "30" }, undefined],
    ["both: the first goes before", { "Retry-After": "2", "X-RateLimit-Reset": String(seconds + 30) }, 2_000],
    ["both, the first without sense", { "Retry-After": "-2", "X-RateLimit-Reset": String(seconds + 30) }, 30_000],
  ])("%s", (_, headers, expected) => {
    expect(retryAfterMs(new Headers(headers as Record<string, string>), now)).toBe(expected);
  });

  it("is nothing or from a second to an hour, whatever the headers say", () => {
    const text = fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String), fc.date({ noInvalidDate: true }).map(String));
    fc.assert(
      fc.property(fc.option(text, { nil: null }), fc.option(text, { nil: null }), (first, second) => {
        const get = (name: string) => (name === "Retry-After" ? first : second);
        for (const ms of [retryAfterMs({ get }, now), statedWaitMs({ get }, now)]) {
          expect(ms === undefined || (ms >= 1_000 && ms <= 3_600_000)).toBe(true);
        }
      }),
    );
  });
});

describe("backoffMs", () => {
  it("doubles from 1 s to 5 minutes, half of it random", () => {
    const bounds = [1, 2, 3, 9, 10, 1_000].map((attempt) => [backoffMs(attempt, () => 0), backoffMs(attempt, () => 1)]);
    expect(bounds).toEqual([
      [500, 1_000],
      [1_000, 2_000],
      [2_000, 4_000],
      [128_000, 256_000],
      [150_000, 300_000],
      [150_000, 300_000],
    ]);
  });

  it("leaves a server that is down alone: at most 35 attempts in any hour", () => {
    fc.assert(
      fc.property(fc.infiniteStream(anyUnit), (stream) => {
        const units = stream[Symbol.iterator]();
        const random = () => Number(units.next().value);
        let [elapsed, attempts] = [0, 0];
        while (elapsed <= 3_600_000) {
          attempts += 1;
          elapsed += backoffMs(attempts, random);
        }
        expect(attempts).toBeLessThanOrEqual(35);
      }),
    );
  });
});

describe("newMessageId", () => {
  it("is a UUID of version 7 that holds its time", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (at) => {
        const id = newMessageId(at);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(at);
      }),
    );
  });

  it("is never the same, also within a millisecond, and sorts by time", () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => newMessageId(now + Math.floor(index / 100)));
    expect(new Set(ids).size).toBe(5_000);
    const times = ids.toSorted().map((id) => id.slice(0, 13));
    expect(times).toEqual(ids.map((id) => id.slice(0, 13)));
  });
});
