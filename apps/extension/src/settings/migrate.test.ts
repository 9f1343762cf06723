import { expect, test } from "vitest";
import { migrate } from "./migrate.js";
import { initialSettings } from "./settings.js";

const agreed = { ...initialSettings, consent: { version: 1, at: 1 }, server: "https://periscope.example/api/v1" };

test("settings of this version are what they were; none are the initial ones", () => {
  expect(migrate(agreed)).toEqual(agreed);
  expect(migrate(undefined)).toEqual(initialSettings);
});

test("older ones take each step on the way", () => {
  const steps = [(old: object) => ({ ...old, sites: ["a.example"], version: 1 })];
  expect(migrate({ ...agreed, version: 1 }, steps).sites).toEqual(["a.example"]);
});

test.each([
  ["a newer version of the extension", { ...agreed, version: 2 }],
  ["another shape", { ...agreed, sites: "all" }],
  ["a site that is none", { ...agreed, sites: ["https://*"] }],
  ["damage", "x"],
  ["nothing at all", null],
])("after %s nothing is recorded, and consent is asked for", (_, stored) => {
  expect(migrate(stored)).toMatchObject({ consent: null, isRecording: false });
});
