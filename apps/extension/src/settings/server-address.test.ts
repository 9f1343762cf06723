import { expect, test } from "vitest";
import { readServerAddress } from "./server-address.js";

test.each([
  ["periscope.example", "https://periscope.example/api/v1"],
  ["https://periscope.example/", "https://periscope.example/api/v1"],
  [" http://127.0.0.1:8787/api/v1/ ", "http://127.0.0.1:8787/api/v1"],
  ["localhost:8787", "http://localhost:8787/api/v1"],
  ["home.example/periscope/api", "https://home.example/periscope/api/v1"],
])("%s is a server", (typed, server) => {
  expect(readServerAddress(typed)).toEqual({ server });
});

test.each([
  ["", "addressMissing"],
  ["ftp://periscope.example", "addressWrong"],
  ["https://ada:secret@periscope.example", "addressWrong"],
  ["not a server", "addressWrong"],
  ["http://periscope.example", "addressClear"],
])("%j is refused: %s", (typed, problem) => {
  expect(readServerAddress(typed)).toEqual({ problem });
});
