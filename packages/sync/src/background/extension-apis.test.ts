/// <reference types="chrome" />
import { afterEach, expect, expectTypeOf, test, vi } from "vitest";
import { BackgroundWorld } from "../../test/background-world.js";
import { type ExtensionApis, connectContextSync, createContextSync } from "./index.js";

afterEach(() => vi.unstubAllGlobals());

const options = {
  baseUrl: "http://periscope.test/api/v1",
  account: () => null,
  apiKey: () => "",
  filter: () => ({ keep: false as const, rule: "none" }),
} as const;

test("what is used of the browser is what its types have", () => {
  expectTypeOf<typeof chrome>().toExtend<ExtensionApis>();
});

test("the browser's own APIs are found under either name", async () => {
  const { browser, locks, store, clock } = new BackgroundWorld();
  for (const name of ["chrome", "browser"]) {
    vi.stubGlobal(name, browser.start());
    expect((await createContextSync({ ...options, locks, store, clock }).status()).waiting).toBe(0);
    vi.unstubAllGlobals();
  }
});

test("names the API that is missing", () => {
  expect(() => createContextSync(options)).toThrow("There are no extension APIs here.");
  expect(() => connectContextSync()).toThrow("There are no extension APIs here.");
  const { alarms: _, ...apis } = new BackgroundWorld().browser.start();
  vi.stubGlobal("chrome", apis);
  expect(() => createContextSync(options)).toThrow("permission `alarms`");
});

test("what a program without types forgets is said at once", () => {
  const { browser, locks, store, clock } = new BackgroundWorld();
  vi.stubGlobal("chrome", browser.start());
  const start = (missing: object) => () => createContextSync({ ...options, locks, store, clock, ...missing });
  expect(start({ filter: undefined })).toThrow("Pass `filter`");
  expect(start({ filter: {} })).toThrow("Pass `filter`");
  expect(start({ baseUrl: "periscope.example" })).toThrow("`baseUrl` is no address");
});

test("F17: a page, which may be frozen with the lock, cannot drain", () => {
  vi.stubGlobal("document", {});
  vi.stubGlobal("chrome", { ...new BackgroundWorld().browser.start(), extension: { getBackgroundPage: () => null } });
  expect(() => createContextSync(options)).toThrow("pages of the extension use `connectContextSync`");
});
