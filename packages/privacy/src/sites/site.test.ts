import { expect, test } from "vitest";
import { siteCategories } from "../data/site-categories.js";
import { classify, siteOf } from "../index.js";

test.each([
  ["bank.example", "bank.example"],
  ["WWW.Bank.Example.", "bank.example"],
  ["www.example", "www.example"],
  ["bücher.example/größe/", "xn--bcher-kva.example/gr%C3%B6%C3%9Fe"],
  ["example.com/Health//", "example.com/Health"],
  ["localhost", "localhost"],
  ["_service.example", "_service.example"],
  ["192.168.1.10/admin", "192.168.1.10/admin"],
  ["0x7f.1", "127.0.0.1"],
  ["[::1]", "[::1]"],
  ["[::ffff:192.168.1.10]/admin", "192.168.1.10/admin"],
  ["ｂａｎｋ.example", "bank.example"],
])("%j is the site %j, and that is itself", (text, site) => {
  expect(siteOf(text)).toBe(site);
  expect(siteOf(site)).toBe(site);
});

test.each([
  "",
  " ",
  "/health",
  ".example",
  "*.example",
  "a..example",
  "a b.example",
  "https://bank.example",
  "bank.example:8443",
  "jo@bank.example",
  "bank.example?x",
  "bank.example#x",
  "bank.example\\health",
  "256.1.1.1",
  "-bank.example",
  `${"a".repeat(64)}.example`,
  "%00.example",
])("%j is no site", (text) => {
  expect(siteOf(text)).toBeUndefined();
});

test("every built-in site is in the form in which it is matched", () => {
  const sites = Object.values(siteCategories).flatMap((category) => category.sites);
  expect(sites.filter((site) => siteOf(site) !== site.replace(/^www\./, ""))).toEqual([]);
});

test.each([
  "https://bank.example/",
  "https://BANK.example./",
  "https://www.bank.example:8443/a",
  "https://b%61nk.example/",
  "https://ｂａｎｋ.example/",
  "https://bank。example/",
  "https://bank.example\\@elsewhere.example/",
  "https:bank.example/a",
  "https:\\\\bank.example/a",
  "https://ba\tnk.example/",
  "https://jo@bank.example/",
])("a blocked site is blocked in the spelling %s", (url) => {
  expect(classify(url, { policy: { blockedSites: ["bank.example"] } })).toMatchObject({ captured: false, reasons: ["blocked-site"] });
});

test.each([
  ["bücher.example", "https://xn--bcher-kva.example/"],
  ["xn--bcher-kva.example", "https://bücher.example/"],
  ["example.com/größe", "https://example.com/gr%C3%B6%C3%9Fe/7"],
  ["example.com/gr%C3%B6%C3%9Fe", "https://example.com/größe"],
  ["example.com/health", "https://example.com/blog/../health/7"],
  ["[::1]/admin", "http://[::1]:3000/admin"],
])("%s covers %s", (site, url) => {
  expect(classify(url, { policy: { blockedSites: [site] } }).captured).toBe(false);
});

test.each([
  "/private",
  "/private/",
  "/private/x",
  "/%70rivate/x",
  "/%50rivate/../%70riv%61te",
  "//private/x",
  "///private",
  "/./private",
  "/private;x=1",
  "/private;x=1/y",
  "/;x/private",
  "/..;/private",
  "/private/..;x/y",
  "/private//x",
])("a blocked path is blocked in the spelling %s", (path) => {
  expect(classify(`https://a.example${path}`, { policy: { blockedSites: ["a.example/private"] } }).captured).toBe(false);
});

test.each(["/", "/x/private", "/privates", "/private-x", "/%2570rivate", "/private%2Fx", "/x;/private"])(
  "%s is not below /private",
  (path) => {
    expect(classify(`https://a.example${path}`, { policy: { blockedSites: ["a.example/private"] } }).captured).toBe(true);
  },
);

test.each(["a.example/%7ejo", "a.example/~jo", "a.example//~jo"])("a path in a list may be spelled so too: %s", (site) => {
  expect(classify("https://a.example/~jo/x", { policy: { blockedSites: [site] } }).captured).toBe(false);
});

test.each(["/%6Cogin", "//login", "/login;x=1"])("the shape of a path is seen in the spelling %s", (path) => {
  expect(classify(`https://a.example${path}`).categories).toEqual(["sign_in"]);
});
