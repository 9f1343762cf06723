import { limits } from "@periscope/schemas";
import { expect, test } from "vitest";
import { ageMsMax } from "./core/options.js";
import { captureBounds } from "./protocol.js";

test("the bounds of captures are those of the contract", () => {
  expect(limits).toMatchObject(captureBounds);
});

test("no message waits longer than the service recognises its repeat", () => {
  expect(ageMsMax).toBe(limits.replayDays * 86_400_000);
});
