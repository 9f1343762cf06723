import { limits } from "@periscope/schemas";
import { expect, test } from "vitest";
import { settingsOf } from "./core/options.js";
import { captureBounds } from "./protocol.js";

const day = 86_400_000;

test("the bounds of captures are those of the contract", () => {
  expect(limits).toMatchObject(captureBounds);
});

test.each([
  [undefined, limits.replayDays],
  [1, 1],
  [30, limits.replayDays],
])("with an age of %s days, a message waits %s: no longer than the service recognises its repeat", (days, expected) => {
  const locks = { request: () => Promise.reject(new Error("not asked for")) };
  const given = days === undefined ? {} : { limits: { ageMs: days * day } };
  const settings = settingsOf({
    baseUrl: "https://periscope.example",
    apiKey: "",
    filter: () => ({ keep: false, rule: "" }),
    locks,
    ...given,
  } as never);
  expect(settings.limits.ageMs).toBe(expected * day);
});
