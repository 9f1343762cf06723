import { expect, test } from "vitest";
import { migrate } from "./migrate.js";
import { initialSettings } from "./settings.js";

const agreed = { ...initialSettings, consent: { version: 1, at: 1 }, server: "https://periscope.example/api/v1" };

test("settings of this version are what they were; none are the initial ones", () => {
  expect(migrate(agreed)).toEqual(agreed);
  expect(migrate(undefined)).toEqual(initialSettings);
});

test("older ones take each step on the way", () => {
  const steps = [(old: object) => ({ ...old, blockedSites: ["a.example"], version: 2 })];
  expect(migrate({ ...agreed, version: 1 }, steps).blockedSites).toEqual(["a.example"]);
});

test("the one list of version 1 stays what it was: of blocked sites, or of the only ones", () => {
  const { blockedSites: _, onlySites: __, answeredServer: ___, ...others } = agreed;
  const stored = { ...others, version: 1, sites: ["a.example"] };
  expect(migrate({ ...stored, siteMode: "all-but" })).toEqual({ ...agreed, answeredServer: agreed.server, blockedSites: ["a.example"] });
  expect(migrate({ ...stored, siteMode: "only" })).toEqual({
    ...agreed,
    answeredServer: agreed.server,
    siteMode: "only",
    onlySites: ["a.example"],
  });
});

test.each([
  ["a newer version of the extension", { ...agreed, version: 3 }],
  ["another shape", { ...agreed, blockedSites: "all" }],
  ["a site that is none", { ...agreed, blockedSites: ["https://*"] }],
  ["damage", "x"],
  ["nothing at all", null],
])("after %s nothing is recorded, and consent is asked for", (_, stored) => {
  expect(migrate(stored)).toMatchObject({ consent: null, isRecording: false });
});
