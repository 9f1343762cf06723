import { expect, test } from "vitest";
import { classify } from "./index.js";

test.each([
  ["https://www.chase.com/accounts", "banking", "restricted"],
  ["https://onlinebanking.some-bank.example.com/", "banking", "restricted"],
  ["https://accounts.google.com/v3/signin", "sign_in", "restricted"],
  ["https://shop.example.com/login?next=/", "sign_in", "restricted"],
  ["https://example.com/users/password/edit", "sign_in", "restricted"],
  ["https://mychart.hospital.example.org/MyChart/", "health", "restricted"],
  ["https://shop.example.com/checkout/payment", "checkout", "restricted"],
  ["https://www.irs.gov/payments", "tax", "restricted"],
  ["https://app.uniswap.org/", "wallets", "restricted"],
  ["https://tinder.com/app", "dating", "restricted"],
  ["https://mail.google.com/mail/u/0/", "webmail", "filtered"],
  ["https://mail.example.com/inbox", "webmail", "filtered"],
  ["https://app.slack.com/client/T1/C2", "chat", "filtered"],
  ["https://www.google.com/maps/dir/a/b", "travel", "filtered"],
  ["https://www.google.com/search?q=x", "search", "private"],
  ["http://localhost:3000/", "intranet", "private"],
  ["http://192.168.1.10/admin", "intranet", "private"],
  ["http://172.20.0.1/", "intranet", "private"],
  ["http://[::ffff:192.168.1.10]:8080/", "intranet", "private"],
  ["http://wiki/", "intranet", "private"],
  ["http://build.corp.internal/", "intranet", "private"],
  ["file:///home/jo/x.txt", "file", "private"],
])("%s is %s at %s", (url, category, level) => {
  const found = classify(url);
  expect(found.captured).toBe(true);
  expect(found.categories).toContain(category);
  expect(found.level).toBe(level);
  expect(found.reasons).toContain(`category:${category}`);
});

test.each([
  "about:blank",
  "chrome://settings",
  "edge://x",
  "moz-extension://abc/x.html",
  "chrome-extension://abc/x",
  "view-source:https://a.example",
  "javascript:1",
  "data:text/html,x",
  "",
  "no url",
])("%j is not captured", (url) => {
  expect(classify(url)).toMatchObject({ captured: false, reasons: ["browser-page"] });
});

test("password managers are not captured", () => {
  expect(classify("https://vault.bitwarden.com/#/vault")).toMatchObject({ captured: false, reasons: ["category:password_manager"] });
});

/** A topic is not a category, and a name inside another name is not that name. */
test.each([
  "https://news.example.com/health/cancer-study",
  "https://notchase.com/",
  "https://chase.com.evil.example/",
  "https://en.wikipedia.org/wiki/Banking",
  "https://developer.mozilla.org/en-US/docs/Web/API/Payment_Request_API",
  "https://pay.example/",
  "https://example.com/blog/login-pages-that-work",
  "https://stripe.com/docs",
])("%s has no category", (url) => {
  expect(classify(url)).toMatchObject({ level: undefined, categories: [], captured: true });
});

test("the user's rule raises any site, and lowers a category to private at the lowest", () => {
  const rule = (site: string, level: "public" | "private" | "filtered" | "restricted") => ({ siteRules: [{ site, level }] });
  expect(classify("https://blog.example.com/", { policy: rule("example.com", "restricted") })).toMatchObject({
    level: "restricted",
    reasons: ["user:site-rule"],
  });
  expect(classify("https://mail.google.com/", { policy: rule("mail.google.com", "public") })).toMatchObject({
    level: "private",
    reasons: ["category:webmail", "user:lowered"],
  });
  expect(classify("https://www.chase.com/", { policy: rule("https://chase.com/", "filtered") }).level).toBe("filtered");
  expect(classify("https://badexample.com/", { policy: rule("example.com", "restricted") }).level).toBeUndefined();
  expect(classify("https://a.example/b/c", { policy: rule("a.example/b", "filtered") }).level).toBe("filtered");
  expect(classify("https://a.example/bc", { policy: rule("a.example/b", "filtered") }).level).toBeUndefined();
});

test("the user cannot lower what the operator added, nor unblock a site", () => {
  const policy = {
    categories: { banking: { level: "restricted" as const, sites: ["bank.example"] } },
    siteRules: [{ site: "bank.example", level: "private" as const }],
    blockedSites: ["secret.example"],
  };
  expect(classify("https://bank.example/", { policy }).level).toBe("restricted");
  expect(classify("https://a.secret.example/", { policy })).toMatchObject({ captured: false, reasons: ["blocked-site"] });
});

test("only the built-in list of password managers keeps a site from being captured", () => {
  const categories = { password_manager: { level: "private" as const, sites: ["vault.example"] } };
  expect(classify("https://vault.example/", { policy: { categories } })).toMatchObject({ captured: true, level: "private" });
  expect(classify("https://vault.bitwarden.com/", { policy: { categories } }).captured).toBe(false);
});

test("a rule for an IPv4 address holds where it is mapped to IPv6", () => {
  const policy = { blockedSites: ["192.168.1.10"] };
  for (const host of ["192.168.1.10", "[::ffff:192.168.1.10]", "[0:0:0:0:0:ffff:c0a8:10a]"])
    expect(classify(`http://${host}/x`, { policy }).captured).toBe(false);
  expect(classify("http://[::ffff:192.168.1.11]/x", { policy }).captured).toBe(true);
});
