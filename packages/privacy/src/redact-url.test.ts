import { describe, expect, test } from "vitest";
import { joined, noise } from "../test/detector-table.js";
import { type PrivacyLevel, redactUrl } from "./index.js";

const token = noise(30);
const at = (level: PrivacyLevel) => (url: string) => redactUrl(url, level).url;

describe("at every level", () => {
  test.each(["public", "private", "filtered", "restricted"] as const)("userinfo and tracking keys go at %s", (level) => {
    const { url, redactions } = redactUrl("https://me:pw@example.com/a?utm_source=x&gclid=1&id=7", level);
    expect(url).not.toMatch(/me:pw|utm_source|gclid/);
    expect(url).toMatch(/^https:\/\/example\.com/);
    expect(redactions["url_auth"]).toBe(1);
  });

  test.each([
    "utm utm_source UTM_Campaign utm_ mtm_kwd ga_term otm_a vn_a_b mc emc mc_eid wt_zmc wtmc Echobox spm __s s_cid hsCtaTracking",
    "_openstat fb_action_ids action_ref_map gs_l mkt_tok hmb_source srsltid cmpid os_ehash _ga _gl __twitter_impression wtrid dclid",
    "tracking_source ceneo_spo itm_medium __hstc _hsenc ml_subscriber_hash msclkid oly_enc_id rb_clickid vero_id wickedid twclid yclid",
    "%3Futm_source ?gclid amp;utm_medium",
  ])("tracking keys of ClearURLs go: %s", (keys) => {
    for (const key of keys.split(" ")) expect(at("public")(`https://a.example/x?id=7&${key}=1&b=2`)).toBe("https://a.example/x?id=7&b=2");
  });

  test.each(["ref", "referrer", "utmost", "utm2", "gas", "mci", "abmc", "campaign", "spms", "vn", "s"])("%s is no tracking key", (key) => {
    expect(at("public")(`https://a.example/x?${key}=1`)).toBe(`https://a.example/x?${key}=1`);
  });

  test("a secret key keeps its name and loses its value", () => {
    expect(at("public")(`https://a.example/cb?access_token=${token}&x=1`)).toBe("https://a.example/cb?access_token=REDACTED&x=1");
    expect(at("public")("https://a.example/cb?otp=1")).toBe("https://a.example/cb?otp=REDACTED");
    expect(at("public")(`https://a.example/cb#id_token=${token}&state=ab`)).toBe("https://a.example/cb#id_token=REDACTED&state=ab");
    expect(at("public")(`https://a.example/x;jsessionid=${token}?q=1`)).toBe("https://a.example/x;jsessionid=REDACTED?q=1");
    // A word too short to look like a token.
    expect(at("public")("https://a.example/x;jsessionid=tea;y=1")).toBe("https://a.example/x;jsessionid=REDACTED;y=1");
  });

  test("an ambiguous key loses only what is shaped like a token", () => {
    expect(at("public")("https://a.example/?code=DE&state=open&key=name")).toBe("https://a.example/?code=DE&state=open&key=name");
    expect(at("public")(`https://a.example/?code=${token}`)).toBe("https://a.example/?code=REDACTED");
  });

  test("a nested URL is opened once", () => {
    const inner = encodeURIComponent(`https://b.example/?token=${token}&q=x`);
    const filtered = at("public")(`https://a.example/go?url=${inner}`);
    expect(decodeURIComponent(filtered)).toBe("https://a.example/go?url=https://b.example/?token=REDACTED&q=x");
  });

  test("a segment after reset, magic-link and the like is a token", () => {
    expect(at("public")(`https://a.example/password-reset/${token}`)).toBe("https://a.example/password-reset/REDACTED");
  });
});

const key = joined("ghp", "_", noise(36));
const random = "k3jH8sLq02mNvB7xZp41QwErTy";

describe("no part of an address is left out", () => {
  test.each([
    ["a parameter of a path without a name", `/x;${key}`, "/x;REDACTED"],
    ["a card there", "/x;4111111111111111", "/x;REDACTED"],
    ["a key", `/x?${key}=1`, "/x?REDACTED=1"],
    ["a key without a value", "/x?4111111111111111=", "/x?REDACTED="],
    ["a key that is encoded", "/x?4111%201111%201111%201111=1", "/x?REDACTED=1"],
    ["a token with its padding", `/x?${random}==`, "/x?REDACTED=="],
    ["a name of a parameter of a path", `/x;${key}=1`, "/x;REDACTED=1"],
    ["a pair behind a semicolon", "/x?a=1;token=abcd1234", "/x?a=1;token=REDACTED"],
    ["a pair behind a semicolon of a fragment", "/x#a=1;token=abcd1234", "/x#a=1;token=REDACTED"],
    ["a pair behind an anchor", "/#foo&access_token=abcd1234", "/#foo&access_token=REDACTED"],
    ["a pair behind nothing", "/#&access_token=abcd1234", "/#&access_token=REDACTED"],
    ["a pair behind a route", "/#/cb&access_token=abcd1234", "/#/cb&access_token=REDACTED"],
    ["a pair in the query of an anchor", "/#foo?pin=1234", "/#foo?pin=REDACTED"],
    ["user and password of an address in the path", "/web/2020/https://admin:hunter2@intranet/x", "/web/2020/https://intranet/x"],
    ["the same with one slash", "/web/2020/https:/admin:hunter2@intranet/x", "/web/2020/https:/intranet/x"],
    ["a password in German", "/?passwort=hunter2", "/?passwort=REDACTED"],
    ["a password in Portuguese", "/?nova_senha=hunter2&x=1", "/?nova_senha=REDACTED&x=1"],
    ["the code of a card", "/?cvv2=123", "/?cvv2=REDACTED"],
    ["the code of a card, named after it", "/?card_cvc=123", "/?card_cvc=REDACTED"],
  ])("%s", (_, part, filtered) => {
    for (const level of ["public", "private"] as const) {
      expect(at(level)(`https://a.example${part}`)).toBe(`https://a.example${filtered}`);
      expect(at(level)(`https://a.example${filtered}`)).toBe(`https://a.example${filtered}`);
    }
    const least = at("filtered")(`https://a.example${part}`);
    expect(least).not.toMatch(/ghp_|4111|abcd1234|hunter2|1234|cv[a-z0-9]+=123/);
    expect(at("filtered")(least)).toBe(least);
  });

  test("an IBAN and an address go there from private on", () => {
    expect(at("private")("https://a.example/x;DE89370400440532013000")).toBe("https://a.example/x;REDACTED");
    expect(at("private")("https://a.example/x;jo@example.org=1?jo%40example.org=2")).toBe("https://a.example/x;REDACTED=1?REDACTED=2");
  });

  test.each([
    "/x;v=1.2;lang=en",
    "/x;view",
    "/x?q=for(i=0;i<5;i=i+1)",
    "/x?a=1;b=2;c",
    "/x?ctl00_ContentPlaceHolder1_txtName=a",
    "/x?filter[price][gte]=10&ids[]=4",
    "/web/20200101000000/https://blog.example/a@b/",
    "/@jo/https:/x",
    "/#a&b",
    "/#section-2?x=1",
    "/#:~:text=one,two&text=three",
    "/?spin=1&pinned=2&compass=3&desenhar=4",
  ])("%s stays", (part) => {
    for (const level of ["public", "private"] as const) expect(at(level)(`https://a.example${part}`)).toBe(`https://a.example${part}`);
  });
});

test("contact details and ids go from private on", () => {
  const url = "https://crm.example.com/contacts/sam.lee@example.org/edit?mail=jo%40example.org&ssn2=536-90-4399";
  expect(at("public")(url)).toContain("sam.lee@example.org");
  expect(at("private")(url)).toBe("https://crm.example.com/contacts/REDACTED/edit?mail=REDACTED&ssn2=REDACTED");
  expect(at("private")("mailto:jo@example.org")).toBe("mailto:REDACTED");
  expect(at("private")("tel:+442079460958")).toBe("tel:REDACTED");
});

test("filtered keeps harmless keys, plain anchors, and ids that are no secrets", () => {
  expect(at("filtered")("https://a.example/s?q=shoes&page=2&session_hint=x&color=red#results")).toBe(
    "https://a.example/s?q=shoes&page=2#results",
  );
  expect(at("filtered")("https://a.example/s?q=jo@example.org")).toBe("https://a.example/s?q=REDACTED");
  expect(at("filtered")("https://a.example/#/route?x=1&y=2")).toBe("https://a.example/");
  expect(at("filtered")(`https://a.example/d/${token}/view`)).toBe("https://a.example/d/REDACTED/view");
  for (const kept of [
    "https://a.example/p/9f1c2d3e-4b5a-4c6d-8e7f-0a1b2c3d4e5f",
    "https://github.com/torvalds/linux/commit/1da177e4c3f41524e886b7f1b8a0c1fc7321cac2",
    "https://a.example/orders/1682442",
    "https://music.example/track/4uLU6hMCjMI75M1A2tKUQC",
    "https://music.example/intl-de/album/2noRn2Aes5aoNVsU6iWThc",
    "https://blog.example.com/2020/12/18/these-weeks-in-firefox-issue-85/#comments",
    "https://en.wikipedia.org/wiki/Hermitian_matrix",
    "https://ko.wikipedia.org/wiki/%EB%AA%A8%EC%A7%88%EB%9D%BC",
  ]) {
    expect(at("filtered")(kept)).toBe(kept);
  }
});

test.each([
  joined("https://hooks.slack", ".com/services/", noise(44)),
  joined("https://HOOKS.slack", ".com:443/services/", noise(44)),
  joined("https://discord", ".com/api/webhooks/123456789012345678/", noise(60)),
  joined("https://hooks.zapier", ".com/hooks/catch/1234567/ab12cd3"),
])("the address of a webhook is a secret as a whole: %j", (url) => {
  for (const level of ["public", "private", "filtered"] as const) {
    expect(redactUrl(`${url}?wait=1`, level).url).toMatch(/^https:\/\/[a-z0-9.:]+\/REDACTED(?:\?wait=1)?$/i);
    expect(redactUrl(url, level).redactions).toEqual({ api_key: 1 });
  }
});

test("restricted keeps the origin only", () => {
  expect(at("restricted")("https://bank.example:8443/accounts/1?x=1#y")).toBe("https://bank.example:8443");
  expect(at("restricted")("file:///home/jo/taxes.pdf")).toBe("file://");
});

test.each([
  "",
  "?",
  "#",
  "//",
  "a b c",
  "http://",
  "%",
  "?a=%ZZ",
  "https://[::1]/x",
  "javascript:alert(1)",
  joined("data:text/html,", "<b>"),
  "\u{1f600}",
])("%j does not throw and is idempotent", (url) => {
  for (const level of ["public", "private", "filtered", "restricted"] as const) {
    const once = redactUrl(url, level).url;
    expect(redactUrl(once, level).url).toBe(once);
  }
});

/** The same address in spellings that a browser opens all the same (WHATWG URL Standard, 4.4). */
const spellings: ReadonlyArray<readonly [name: string, spell: (url: string) => string]> = [
  ["a blank before it", (url) => ` ${url}`],
  ["a line end and a blank before it", (url) => `\n ${url}`],
  ["a control character before it", (url) => `\u0000${url}`],
  ["white space that no browser trims", (url) => `\u00a0${url}`],
  ["a tab in its scheme", (url) => url.replace("t", "t\t")],
  ["a line end in its authority", (url) => url.replace("//", "//\n")],
  ["one slash", (url) => url.replace("//", "/")],
  ["no slash", (url) => url.replace("//", "")],
  ["three slashes", (url) => url.replace("//", "///")],
  ["backslashes", (url) => url.replace("//", "\\\\")],
  ["one backslash", (url) => url.replace("//", "\\")],
  ["backslashes in its path", (url) => url.replace(/[^/]\/.*/, (path) => path.replaceAll("/", "\\"))],
];

describe.each(spellings)("a URL with %s", (_, spell) => {
  const levels = ["public", "private", "filtered", "restricted"] as const;

  test.each([
    "https://me:S3cretPw9@h.example/a/b",
    "https://me:S3cretPw9@intra/a/b?utm_source=x",
    "http://me@h.example/a",
    `https://a.example/password-reset/${token}/x`,
    `https://a.example/x;jsessionid=${token}?q=1`,
    `https://a.example/cb?access_token=${token}&x=1`,
    `https://a.example/cb#id_token=${token}&x=1`,
    joined("https://hooks.slack", ".com/services/", noise(44)),
  ])("is filtered as %s is", (url) => {
    for (const level of levels) {
      expect(new URL(redactUrl(spell(url), level).url).href).toBe(new URL(redactUrl(url, level).url).href);
      expect(redactUrl(spell(url), level).redactions).toEqual(redactUrl(url, level).redactions);
    }
  });

  test("keeps its origin alone at restricted", () => {
    expect(at("restricted")(spell("https://h.example/secretpath/deep?q=1#x"))).toBe("https://h.example");
  });

  test("keeps its spelling where nothing has to go", () => {
    const url = spell("https://h.example/a/b?q=1#top");
    for (const level of ["public", "private", "filtered"] as const) expect(redactUrl(url, level)).toEqual({ url, redactions: {} });
  });
});

test.each(["//me:pw@h.example/x", "/\\me:pw@h.example/x", "\\\\me:pw@h.example\\x", "\t//me:pw@h.example/x", "///me:pw@h.example/x"])(
  "a reference without a scheme loses its userinfo: %j",
  (url) => {
    expect(at("public")(url)).toBe("//h.example/x");
    expect(at("public")(`https://a.example/go?to=${encodeURIComponent(url)}`)).toBe("https://a.example/go?to=%2F%2Fh.example%2Fx");
  },
);

test.each([" https://me:pw@b.example/", "https:/me:pw@b.example/", "https:me:pw@b.example/", "https:\\\\me:pw@b.example\\"])(
  "a nested URL may be spelled oddly: %j",
  (inner) => {
    const filtered = at("public")(`https://a.example/go?to=${encodeURIComponent(inner)}`);
    expect(decodeURIComponent(filtered)).toBe("https://a.example/go?to=https://b.example/");
  },
);

test.each(["C:\\Users\\jo\\a.txt", "mailto:a\\b", "file:/tmp/a", "a\\b", "https:"])("%j is no odd spelling of a host", (url) => {
  expect(at("public")(url)).toBe(url);
});
