import { describe, expect, test } from "vitest";
import { noise } from "../test/detector-table.js";
import { type FilterInput, type FilterOutcome, filterContext, type FilterPolicy } from "./index.js";

const input = (more: Partial<FilterInput> = {}): FilterInput => {
  const url = more.url ?? "https://blog.example.com/post?id=7&utm_source=x";
  return {
    type: "page",
    url,
    title: "Notes of jo@example.org",
    content: "Mail jo@example.org, card 4111 1111 1111 1111, password: hunter2!",
    contentFormat: "text",
    privacyLevel: "private",
    metadata: { author: "x", cookies: "a=b", note: "call +1 415 555 0132" },
    ...more,
    tabMetadata: {
      id: "t1",
      url,
      title: more.title ?? "Notes of jo@example.org",
      isActive: true,
      isLoading: false,
      windowId: 1,
      lastUpdated: "2026-01-31T12:00:00.000Z",
      ...more.tabMetadata,
    },
  };
};
const captured = (value: FilterInput, policy?: FilterPolicy): Extract<FilterOutcome, { captured: true }> => {
  const outcome = filterContext(value, policy);
  if (!outcome.captured) throw new Error(`not captured: ${outcome.reasons.join()}`);
  return outcome;
};

test("takes a tab whose optional fields are undefined, as those of a client's context may be", () => {
  const { tabMetadata } = input();
  const { failedClosed } = captured(input({ tabMetadata: { ...tabMetadata, incognito: undefined, referrer: undefined } }));
  expect(failedClosed).toBe(false);
});

describe("levels", () => {
  test("private: removes floor and financial values; contacts from url and title only", () => {
    const { context, level, redactions } = captured(input());
    expect(level).toBe("private");
    expect(context.title).toBe("Notes of [REDACTED:email]");
    expect(context.content).toBe("Mail jo@example.org, card [REDACTED:card], password: [REDACTED:password]");
    expect(context.url).toBe("https://blog.example.com/post?id=7");
    expect(context.metadata).toEqual({ author: "x", note: "call +1 415 555 0132" });
    expect(context.tabMetadata.title).toBe("Notes of [REDACTED:email]");
    expect(redactions).toEqual({ email: 1, card: 1, password: 1, tracking: 1, dropped: 1 });
  });

  test("public keeps contact details, filtered removes them", () => {
    expect(captured(input({ privacyLevel: "public" })).context.title).toContain("jo@example.org");
    expect(captured(input({ privacyLevel: "filtered" })).context.content).toBe(
      "Mail [REDACTED:email], card [REDACTED:card], password: [REDACTED:password]",
    );
    expect(captured(input({ privacyLevel: "filtered" })).context.metadata["note"]).toBe("call [REDACTED:phone]");
  });

  test("restricted keeps only that the page was there", () => {
    const tabMetadata = { ...input().tabMetadata, referrer: "https://a.example/x", lang: "en", pinned: true };
    const { context } = captured(input({ privacyLevel: "restricted", tabMetadata }));
    expect(context).toEqual({
      url: "https://blog.example.com",
      title: "[REDACTED:title]",
      content: "",
      contentFormat: "text",
      metadata: {},
      tabMetadata: {
        id: "t1",
        url: "https://blog.example.com",
        title: "[REDACTED:title]",
        isActive: true,
        isLoading: false,
        windowId: 1,
        lastUpdated: "2026-01-31T12:00:00.000Z",
        pinned: true,
      },
    });
  });

  test("every text of a tab is filtered, its opener's name too", () => {
    const tabMetadata = { ...input().tabMetadata, openerTabId: "card 4111 1111 1111 1111", lang: "card 4111 1111 1111 1111" };
    const { context } = captured(input({ privacyLevel: "public", tabMetadata }));
    expect(context.tabMetadata).toMatchObject({ openerTabId: "card [REDACTED:card]", lang: "card [REDACTED:card]" });
  });

  test("the effective level is the maximum of everything that has a say", () => {
    expect(captured(input({ privacyLevel: "public" }), { minimumLevel: "filtered" })).toMatchObject({
      level: "filtered",
      reasons: ["operator:minimum"],
    });
    expect(captured(input({ url: "https://mail.google.com/x" }))).toMatchObject({ level: "filtered", reasons: ["category:webmail"] });
    expect(captured(input({ privacyLevel: "restricted", url: "https://mail.google.com/x" })).level).toBe("restricted");
    expect(captured(input(), { siteRules: [{ site: "example.com", level: "restricted" }] }).level).toBe("restricted");
  });

  test("the address of the tab counts as much as that of the context", () => {
    const tabMetadata = { ...input().tabMetadata, url: "https://www.chase.com/" };
    expect(captured(input({ tabMetadata })).level).toBe("restricted");
  });
});

describe("not captured", () => {
  test.each([
    [{ tabMetadata: { ...input().tabMetadata, incognito: true } }, "private-window"],
    [{ url: "chrome://settings" }, "browser-page"],
    [{ url: "https://my.1password.com/vaults" }, "category:password_manager"],
    [{ url: "https://a.blocked.example/" }, "blocked-site"],
  ] as const)("%j: %s", (more, reason) => {
    expect(filterContext(input(more as Partial<FilterInput>), { blockedSites: ["blocked.example"] })).toEqual({
      captured: false,
      reasons: [reason],
    });
  });
});

describe("forms", () => {
  test.each(["Passwort", "Kennwort", "Mot de passe", "Contraseña", "Wachtwoord", "Senha", "Hasło", "Пароль", "パスワード"])(
    "a text field labelled %s loses its value at every level",
    (label) => {
      for (const privacyLevel of ["public", "private"] as const) {
        const fields = [{ name: "x", type: "text", label, filled: true, value: "hunter2!Zqvv" }];
        expect(captured(form(fields, { privacyLevel })).context.content).not.toContain("hunter2");
      }
    },
  );

  test("a value is looked at beside its label and its name", () => {
    const fields = [
      { name: "x", type: "text", label: "Your one-time code", filled: true, value: "482913" },
      { name: "x", type: "text", label: "Ihr Bestätigungscode", filled: true, value: "482913 thanks" },
      { name: "q", type: "text", label: "Search", filled: true, value: "482913" },
    ];
    const { content } = captured(form(fields)).context;
    expect((JSON.parse(content) as Array<{ value?: string }>).map(({ value }) => value)).toEqual([
      undefined,
      "[REDACTED:one_time_code] thanks",
      "482913",
    ]);
  });

  const form = (fields: unknown, more: Partial<FilterInput> = {}): FilterInput =>
    input({ type: "form", content: JSON.stringify(fields), ...more });
  const fields = [
    { name: "q", type: "text", filled: true, value: "shoes" },
    { name: "email", type: "email", label: "E-mail", filled: true, value: "jo@example.org" },
    { name: "cardNumber", type: "text", filled: true, value: "4111111111111111" },
    { name: "pw", type: "text", autocomplete: "new-password", filled: false, value: "" },
    { name: "tok", type: "hidden", filled: true, value: noise(20) },
  ];

  test("removes sensitive values, masks contact values, filters the rest, and stays JSON", () => {
    const { context, redactions } = captured(form(fields));
    expect(JSON.parse(context.content)).toEqual([
      fields[0],
      { name: "email", type: "email", label: "E-mail", filled: true, value: "[REDACTED:contact]" },
      { name: "cardNumber", type: "text", filled: true },
      fields[3],
      { name: "tok", type: "hidden", filled: true },
    ]);
    expect(redactions).toMatchObject({ form_value: 2, contact: 1 });
  });

  test("a type that is none is filtered as text too", () => {
    const [field] = JSON.parse(captured(form([{ name: "q", type: "4111 1111 1111 1111", filled: false }])).context.content) as unknown[];
    expect(field).toEqual({ name: "q", type: "[REDACTED:card]", filled: false });
  });

  test("no value is left at filtered", () => {
    const kept = JSON.parse(captured(form(fields, { privacyLevel: "filtered" })).context.content) as Array<Record<string, unknown>>;
    expect(kept.map((field) => field["value"]).filter((value) => value !== undefined && value !== "")).toEqual([]);
    expect(kept.map((field) => field["filled"])).toEqual([true, true, true, false, true]);
  });

  test.each([
    [{ name: "p", type: "password", filled: true }],
    [{ name: "n", type: "text", autocomplete: "cc-number", filled: true }],
    [{ name: "p", type: "password", filled: false, value: "x" }],
  ])("a filled password or card field makes the page restricted: %j", (field) => {
    expect(captured(form([field]))).toMatchObject({ level: "restricted", reasons: ["page:filled-secret"] });
    expect(captured(form([{ ...field, filled: false, value: "" }])).level).toBe("private");
  });

  test("JSON that is not a list of fields is not kept", () => {
    expect(captured(input({ type: "form", content: '{"fields":[{"type":"password","value":"x"}]}' })).context.content).toBe("");
    expect(captured(input({ type: "form", content: "[1" })).context.content).toBe("");
    expect(captured(input({ type: "form", content: "Search: shoes" })).context.content).toBe("Search: shoes");
  });

  test("the same holds for HTML", () => {
    expect(captured(input({ contentFormat: "html", content: '<input type="password" value="x">' })).level).toBe("restricted");
    expect(captured(input({ contentFormat: "html", content: '<input type="password">' })).level).toBe("private");
  });
});

describe("failing closed", () => {
  test("a filter that does not come to rest leaves nothing but the origin", () => {
    // What is put in place of the first entry ends in `]`, which makes one of the second with what follows it, time and again.
    const policy = { denyList: ["xylophone", "] tick"] };
    const outcome = captured(input({ content: `A xylophone${" tick".repeat(40)}.`, privacyLevel: "filtered" }), policy);
    expect(outcome).toMatchObject({
      level: "restricted",
      failedClosed: true,
      failure: "FilterBoundsError",
      reasons: ["filter:failed"],
      context: { url: "https://blog.example.com", title: "[REDACTED:title]", content: "", metadata: {} },
    });
  });

  test("content past the bounds is not filtered but reduced", () => {
    expect(captured(input({ content: "a".repeat(8 * 1024 * 1024 + 1) }))).toMatchObject({
      level: "restricted",
      failedClosed: true,
      failure: "RangeError",
    });
  });
});

test("no reason and no count holds a value", () => {
  const outcome = captured(input({ privacyLevel: "filtered" }));
  expect(JSON.stringify([outcome.reasons, outcome.redactions])).not.toMatch(/jo@|4111|hunter2|555/);
});

test("filtering what was filtered changes nothing", () => {
  for (const privacyLevel of ["public", "private", "filtered", "restricted"] as const) {
    const once = captured(input({ privacyLevel })).context;
    expect(captured({ ...input({ privacyLevel }), ...once }).context).toEqual(once);
  }
});

test.each([
  " https://mail.google.com/mail/u/0",
  "\u00a0https://h.example/secretpath",
  "https:\\\\h.example\\secretpath\\deep",
  "https:h.example/secretpath",
])("at restricted the origin of %j stays, and filtered again it is captured as before", (url) => {
  const once = captured(input({ url, privacyLevel: "restricted" }));
  expect(once.context.url).toMatch(/^https:\/\/(?:mail\.google\.com|h\.example)$/);
  const again = captured({ ...input(), ...once.context, privacyLevel: "restricted" });
  expect(again.context).toEqual(once.context);
});
