import { expect, test } from "vitest";
import { accountAt, answered } from "./account.js";
import { initialSettings, type Settings } from "./settings.js";

const [home, work] = ["https://home.example/api/v1", "https://work.example/api/v1"];
const ready: Settings = { ...initialSettings, server: home, account: "ada" };

test("a corrected address keeps what waits; that of a server which answered is for no other", () => {
  expect(accountAt(ready, work, false)).toBe("ada");
  expect(accountAt(answered(ready), work, false)).not.toBe("ada");
  // The one that answered was another.
  expect(accountAt({ ...answered(ready), server: work }, "https://third.example/api/v1", false)).toBe("ada");
});

test("the same server keeps the account, but for another person", () => {
  expect(accountAt(answered(ready), home, false)).toBe("ada");
  expect(accountAt(ready, home, true)).not.toBe("ada");
  expect(accountAt(initialSettings, home, false)).not.toBe("");
});
