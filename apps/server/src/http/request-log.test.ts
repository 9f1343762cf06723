import { expect, test } from "vitest";
import { describeFailure } from "./request-log.js";

test("a failure is told without its message, however its lines look", () => {
  const cause = Object.assign(new TypeError("Unexpected token, at\n    at secret (file.ts:1:1)\n    at secret"), { code: "E_SECRET" });
  const told = describeFailure(new RangeError("secret", { cause }));
  expect(told).toMatchObject({ kind: "RangeError", code: undefined, cause: { kind: "TypeError", code: "E_SECRET" } });
  expect(JSON.stringify(told)).not.toContain("secret");
  expect(told["frames"]).toEqual(expect.arrayContaining([expect.stringMatching(/^at .*request-log\.test\.ts/)]));
});

test("an error whose message was changed, or that has no stack, has no frames; what is no error has a kind", () => {
  const changed = new Error("before\n    at secret");
  // Written down when it is first asked for.
  expect(changed.stack).toContain("at secret");
  changed.message = "something else";
  expect(describeFailure(changed)).toMatchObject({ kind: "Error", frames: [] });
  expect(describeFailure(Object.assign(new Error("secret"), { stack: undefined }))).toMatchObject({ frames: [] });
  expect(describeFailure("secret")).toEqual({ kind: "string" });
});
