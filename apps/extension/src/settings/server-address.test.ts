import { expect, test } from "vitest";
import { isInTheClear, originPattern, readServerAddress } from "./server-address.js";

test.each([
  ["periscope.example", "https://periscope.example/api/v1"],
  ["https://periscope.example/", "https://periscope.example/api/v1"],
  [" http://127.0.0.1:8787/api/v1/ ", "http://127.0.0.1:8787/api/v1"],
  ["localhost:8787", "http://localhost:8787/api/v1"],
  ["home.example/periscope/api", "https://home.example/periscope/api/v1"],
])("%s is a server", (typed, server) => {
  expect(readServerAddress(typed)).toMatchObject({ is: "address", server });
});

test.each([
  ["", "none"],
  ["ftp://periscope.example", "wrong"],
  ["https://ada:secret@periscope.example", "wrong"],
  ["not a server", "wrong"],
])("%j is %s", (typed, is) => {
  expect(readServerAddress(typed)).toEqual({ is });
});

test("the browser is asked for this host alone; the key travels in the clear to this machine alone", () => {
  expect(originPattern("http://127.0.0.1:8787/api/v1")).toBe("http://127.0.0.1/*");
  expect(isInTheClear("http://127.0.0.1:8787/api/v1")).toBe(false);
  expect(isInTheClear("http://periscope.example/api/v1")).toBe(true);
  expect(isInTheClear("https://periscope.example/api/v1")).toBe(false);
});
