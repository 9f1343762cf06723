import { expect, test } from "vitest";
import { siteTest } from "./site-pattern.js";

test.each([
  [
    "example.com",
    ["https://example.com/", "http://a.example.com:8080/x", "https://EXAMPLE.com./"],
    ["https://notexample.com/", "https://example.com.evil/"],
  ],
  ["www.example.com", ["https://example.com/", "https://www.example.com/"], ["https://example.org/"]],
  ["*.example.com", ["https://example.com/", "https://a.b.example.com/"], ["https://example.comx/"]],
  [
    "example.com/health/*",
    ["https://example.com/health", "https://example.com/health/1"],
    ["https://example.com/healthy", "https://example.com/"],
  ],
  [
    "https://example.com",
    ["https://example.com/any", "https://example.com:443/"],
    ["http://example.com/", "https://a.example.com/", "https://example.com:8443/"],
  ],
  ["HTTP://localhost:8080/*", ["http://localhost:8080/x"], ["http://localhost/", "https://localhost:8080/"]],
  ["https://*.example.com/*", ["https://a.example.com/", "https://example.com/"], ["http://a.example.com/"]],
  ["*://example.com:8443/*", ["https://example.com:8443/"], ["https://example.com/"]],
  ["bücher.example", ["https://xn--bcher-kva.example/"], ["https://bucher.example/"]],
  ["[::1]", ["http://[::1]:3000/"], ["http://[::2]/"]],
  ["file:///home/ada", ["file:///home/ada/notes.txt"], ["file:///home/adam"]],
])("%s is what it says", (pattern, inside, outside) => {
  const test = siteTest(pattern);
  expect(inside.filter((address) => !test(new URL(address)))).toEqual([]);
  expect(outside.filter((address) => test(new URL(address)))).toEqual([]);
});

test.each([
  "",
  " ",
  "*",
  "no site",
  "ftp://example.com",
  "https://",
  "example.com?q=1",
  "user@example.com",
  "exa*mple.com",
  "https:///path",
  "file://host/x",
])("%j is no site", (text) => {
  expect(() => siteTest(text)).toThrow("is no site. Write one such as");
});
