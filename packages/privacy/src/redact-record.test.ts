import { expect, test } from "vitest";
import { joined, noise } from "../test/detector-table.js";
import { redactRecord } from "./index.js";

test("strings are filtered as content, URLs as URLs, numbers when they are values", () => {
  const { record, redactions } = redactRecord(
    {
      note: "mail jo@example.org",
      link: "https://me:pw@a.example/?utm_source=x&q=1",
      list: [1, "203.0.113.77", { deep: "4111 1111 1111 1111" }],
      card: 4_111_111_111_111_111,
      ok: true,
      none: null,
    },
    "filtered",
  );
  expect(record).toEqual({
    note: "mail [REDACTED:email]",
    link: "https://a.example/?q=1",
    list: [1, "[REDACTED:ip]", { deep: "[REDACTED:card]" }],
    card: "[REDACTED:card]",
    ok: true,
    none: null,
  });
  expect(redactions).toMatchObject({ email: 1, url_auth: 1, tracking: 1, ip: 1, card: 2 });
});

test("drops cookies, headers, passwords, storage and values of secret keys everywhere", () => {
  const record = {
    cookies: "a",
    Headers: { a: 1 },
    password: "x",
    localStorage: {},
    sessionStorage: {},
    apiKey: "short",
    access_token: noise(8),
    csrfToken: 12,
    tokenPresent: true,
    nested: { "set-cookie": "a=b", client_secret: "s" },
  };
  expect(redactRecord(record, "public").record).toEqual({
    apiKey: "[REDACTED:secret]",
    access_token: "[REDACTED:secret]",
    csrfToken: "[REDACTED:secret]",
    tokenPresent: true,
    nested: { client_secret: "[REDACTED:secret]" },
  });
});

test("keys are filtered too, and none is lost to a prototype", () => {
  const source = JSON.parse('{"jo@example.org": 1, "__proto__": {"polluted": true}}') as Record<string, unknown>;
  const { record } = redactRecord(source, "filtered");
  expect(Object.keys(record)).toEqual(["[REDACTED:email]", "__proto__"]);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

test("drops endless nesting and values that are not JSON; restricted keeps nothing", () => {
  let deep: Record<string, unknown> = { end: 1 };
  for (let i = 0; i < 50; i++) deep = { deep };
  expect(JSON.stringify(redactRecord(deep, "public").record)).not.toContain("end");
  expect(redactRecord({ f: () => 1, s: Symbol("x"), u: undefined, a: 1 }, "public").record).toEqual({ a: 1 });
  expect(redactRecord({ a: 1 }, "restricted")).toEqual({ record: {}, redactions: {} });
});

const [github, gitlab] = [joined("ghp", "_", noise(36)), joined("glpat", "-", noise(20))];

test("the kind that stands in place of a key is not its name", () => {
  const once = redactRecord({ [github]: "v", "api key jo@example.org": "w" }, "filtered").record;
  expect(once).toEqual({ "[REDACTED:api_key]": "v", "api key [REDACTED:email]": "w" });
  expect(redactRecord(once, "filtered").record).toEqual(once);
});

test("drops the value of a key that names a secret once the removed text is gone", () => {
  const { record } = redactRecord({ "jo@example.org apikey": "v" }, "filtered");
  expect(redactRecord(record, "filtered").record).toEqual(record);
});

test("keys that became the same are all kept", () => {
  const source = { "a@b.example": 1, "[REDACTED:email]#2": 2, "c@d.example": 3, "e@f.example": 4, [github]: 5, [gitlab]: 6 };
  const { record } = redactRecord(source, "filtered");
  expect(record).toEqual({
    "[REDACTED:email]": 1,
    "[REDACTED:email]#2": 2,
    "[REDACTED:email]#3": 3,
    "[REDACTED:email]#4": 4,
    "[REDACTED:api_key]": 5,
    "[REDACTED:api_key]#2": 6,
  });
  expect(redactRecord(record, "filtered").record).toEqual(record);
});

const numberedLabels = ["", "cvv:", "pin:", "otp=", "door code:", "tel:", "ssn", "password", "note:"];

test.each(numberedLabels.flatMap((label) => [2, 100, 1001].map((count) => ({ label, count }))))(
  "filtering numbered keys again changes nothing: $count that end with '$label'",
  ({ label, count }) => {
    const source = Object.fromEntries(Array.from({ length: count }, (_, index) => [`user${index}@example.org ${label}`, index]));
    const { record } = redactRecord(source, "filtered");
    expect(redactRecord(record, "filtered")).toEqual({ record, redactions: {} });
  },
);

test.each([
  { label: "cvv:", dropped: 901 },
  { label: "pin=", dropped: 1 },
])("drops an entry whose number would be the value of a key that ends with $label", ({ label, dropped }) => {
  const source = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`user${index}@example.org ${label}`, 1]));
  const { record, redactions } = redactRecord(source, "filtered");
  expect(Object.keys(record)).toHaveLength(1000 - dropped);
  expect(redactions).toEqual({ email: 1000, dropped });
});

test.each(["Kennwort", "mot de passe", "neues_Passwort", "пароль", "パスワード"])(
  "a key that says password, %s, loses its value",
  (key) => {
    expect(redactRecord({ [key]: "hunter2!" }, "public").record).toEqual({ [key]: "[REDACTED:secret]" });
  },
);

test("a referrer becomes its origin and an icon loses its query, from filtered on", () => {
  const record = {
    referrer: "https://mail.example/u/jo?q=x",
    documentReferrer: "https://a.example/b",
    favIconUrl: "https://a.example/i.png?u=7",
    site: "https://a.example/b",
  };
  expect(redactRecord(record, "filtered").record).toEqual({
    referrer: "https://mail.example",
    documentReferrer: "https://a.example",
    favIconUrl: "https://a.example/i.png",
    site: "https://a.example/b",
  });
  expect(redactRecord(record, "private").record).toEqual(record);
});

/** Names that label a value in text label it in a record as well. */
const named: ReadonlyArray<readonly [key: string, value: string | number, kind: string]> = [
  ["pin_code", "4711", "pin"],
  ["pinCode", 4711, "pin"],
  ["cvv2", "123", "cvv"],
  ["security_code", "123", "cvv"],
  ["password1", "tulip-33", "password"],
  ["pwd1", "sunshine", "password"],
  ["DB_PASSWORD_MAIN", "hunter2xY", "password"],
  ["verification_code_sms", "482913", "one_time_code"],
  ["ssn", "536221234", "us_ssn"],
  ["passport", "C01X00T47", "passport"],
  ["date_of_birth", "1980-01-31", "date_of_birth"],
  ["account_number", "12345678", "bank_account"],
  ["medical_record_number", "MRN12345", "medical_record"],
  ["tin", "12345678911", "national_id"],
  ["Konto-Nr.", "12345678", "bank_account"],
];

test.each(named)("the key %s says what %j is", (key, value, kind) => {
  const removed = `[REDACTED:${kind}]`;
  const source = { [key]: value, list: [{ [key]: value }] };
  const { record } = redactRecord(source, "filtered");
  expect(record).toEqual({ [key]: removed, list: [{ [key]: removed }] });
  expect(redactRecord({ [key]: [value] }, "filtered").record).toEqual({ [key]: [removed] });
  expect(redactRecord(record, "filtered")).toEqual({ record, redactions: {} });
});

test("other keys say nothing of theirs", () => {
  const record = {
    port: 5432,
    code: "not_found",
    status: 404,
    duration_ms: 482_913,
    timestamp: 1_764_355_849,
    request_id: "req_482913",
    version: "1.2.3",
    pinned: 4711,
    tokenCount: 300,
    passwordStrength: "good",
    author: "A. Nyberg",
    title: "Password managers",
    wordCount: 1204,
    publishedTime: "2026-01-31T12:00:00.000Z",
  };
  expect(redactRecord(record, "filtered")).toEqual({ record, redactions: {} });
});
