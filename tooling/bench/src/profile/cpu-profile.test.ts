import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { byPlace, selfTimes, type CpuProfile } from "./cpu-profile.ts";
import { profileTables } from "./report.ts";

const frame = (functionName: string, url: string) => ({ functionName, url, lineNumber: 9, columnNumber: 0 });

const profile: CpuProfile = {
  startTime: 1_000,
  nodes: [
    { id: 1, callFrame: frame("(idle)", "") },
    { id: 2, callFrame: frame("parse", pathToFileURL("/repo/node_modules/.pnpm/x@1/node_modules/@scope/x/dist/a.js").href) },
    { id: 3, callFrame: frame("writeHead", "node:_http_server") },
    // The same function, called from elsewhere.
    { id: 4, callFrame: frame("writeHead", "node:_http_server") },
    { id: 5, callFrame: frame("(garbage collector)", "") },
  ],
  samples: [1, 2, 3, 4, 4, 5],
  timeDeltas: [500_000, 100, 200, 300, 400, 50],
};

test("self times join the places a function is called from, and leave waiting out", () => {
  expect(selfTimes(profile)).toEqual([
    { name: "writeHead", place: "node:_http_server", line: 10, microseconds: 900 },
    { name: "parse", place: "@scope/x", line: 10, microseconds: 100 },
    { name: "(garbage collector)", place: "(garbage collector)", line: 0, microseconds: 50 },
  ]);
  expect(byPlace(selfTimes(profile))[0]).toEqual({ place: "node:_http_server", microseconds: 900 });
});

test("only the samples of the window count", () => {
  const functions = selfTimes(profile, { from: 501_150, to: 501_650 });
  expect(functions).toEqual([{ name: "writeHead", place: "node:_http_server", line: 10, microseconds: 500 }]);
});

test("shares are of the time that was not idle", () => {
  const lines = profileTables("main", selfTimes(profile)).split("\n");
  expect(lines).toContain("85.7 %  writeHead            node:_http_server:10");
});
