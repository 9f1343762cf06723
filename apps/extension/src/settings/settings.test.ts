import { expect, test } from "vitest";
import { initialSettings, readSettings } from "./settings.js";

const agreed = { ...initialSettings, consent: { version: 1, at: 1 }, server: "https://periscope.example/api/v1" };

test("reads settings as they were stored, and the initial ones when there are none", () => {
  expect(readSettings(agreed)).toEqual(agreed);
  expect(readSettings(undefined)).toEqual(initialSettings);
});

test.each([
  ["another version of the extension", { ...agreed, version: 2 }],
  ["another shape", { ...agreed, sites: "all" }],
  ["a site that is none", { ...agreed, sites: [{ site: "https://*", rule: "blocked" }] }],
  ["damage", "x"],
  ["nothing at all", null],
])("records nothing and asks for consent after %s", (_, stored) => {
  expect(readSettings(stored)).toMatchObject({ consent: null, isRecording: false });
});
