import { detectorKinds, isAtMost, type PrivacyLevel } from "@periscope/privacy";
import { expect } from "vitest";
import openApi from "../openapi.json" with { type: "json" };
import { languages } from "../src/search/analysis/languages.js";
import { scan, withoutJoiners } from "../src/search/analysis/scan.js";
import { wordTermsIn } from "../src/search/analysis/term-stream.js";
import { placesIn, withPlace } from "./json-places.js";
import { configMessage, createMessage, errorMessage, updateMessage } from "./messages.js";
import { Installation, type ServerProcess } from "./server-process.js";
import { type RawFile, rawFiles } from "./stored-bytes.js";
import type { TestClient } from "./test-client.js";
import { withOwnServer as it } from "./test-server.js";

/** Joins parts of a value that looks like a secret, so that scanners of this repository do not take it for one. */
const joined = (...parts: readonly string[]): string => parts.join("");
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const random = "aW2vB3dZ8yE6gH1jK4mN7pQ0sT5cR9fL";

/** A value of each kind that must not be stored: `{}` is where it goes in the text that it stands in. */
const rows: ReadonlyArray<readonly [kind: string, around: string, value: string]> = [
  ["jwt", "Authorization: Bearer {}", [part({ alg: "HS256", typ: "JWT" }), part({ sub: "planted-one" }), `${random}xYz4aB7c`].join(".")],
  ["api_key", "token {} of the robot", joined("ghp", "_", random, "Q7w3")],
  ["url_auth", "postgres://{}@db.example:5432/x", "planted-app:p4ssPlanted"],
  ["token", "see https://a.example/x?access_token={}&y=1", `tk${random.slice(4)}`],
  ["password", 'password = "{}"', "hunter2!Planted"],
  ["secret", '{"client_secret":"{}","x":1}', `cs${random.slice(6, 28)}`],
  ["one_time_code", "Your verification code is {}.", "482913"],
  ["cvv", "security code = {}", "8264"],
  ["setup_key", "Setup key: {}", joined("JBSW", "Y3DPEHPK3PXP")],
  ["recovery_code", "Backup code: {}", "8391-2284"],
  ["pin", "my pin is {}", "9053"],
  ["card", "paid with {} today", "4111 1111 1111 1111"],
  ["iban", "pay {} now", "DE89 3704 0044 0532 0130 00"],
  ["us_ssn", "id {}", "536-90-4399"],
  ["national_id", "CPF {}", "529.982.247-25"],
  ["email", "write to {}.", "ada.planted@mail.example.org"],
  ["phone", "reach us: {}", "+44 20 7946 0958"],
  ["ip", "from {} at", "203.0.113.77"],
  ["mac", "hw {} up", "00:1a:2b:3c:4d:5e"],
  ["bank_account", "Account number: {}", "7582249128"],
  ["passport", "Passport: {}", "U64963786"],
  ["licence", "Driver's license: {}", "D123-4567-8901"],
  ["medical_record", "MRN: {}", "MRN-1447606"],
  ["date_of_birth", "DOB: {}", "1976-10-10"],
  ["wallet", "Wallet address: {}", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
  ["name", '{"@type":"Person","name":"{}","jobTitle":"Engineer"}', "Grace Plantagenet"],
  ["address", '{"@type":"Person","streetAddress":"{}"}', "19 Plantation Row"],
  [
    "private_key",
    joined("-----BEGIN ", "PRIVATE KEY-----\n{}\n-----END ", "PRIVATE KEY-----"),
    `${random}${random}\n${random.toUpperCase()}${random}`,
  ],
  // Of the user's own deny-list.
  ["denied", "signed by Zebedee Quillfeather", "Zebedee Quillfeather"],
];

interface Planted {
  kind: string;
  text: string;
  /** What of the text must go. */
  value: string;
}
const planted: readonly Planted[] = rows.map(([kind, around, value]) => ({ kind, value, text: around.replace("{}", () => value) }));
const tiers = new Map<string, string>(detectorKinds.map(({ kind, tier }) => [kind, tier]));

/** The texts that must go at a level: contact details go from titles and URLs sooner than from content. */
function textsAt(level: PrivacyLevel, place: "content" | "title or url"): string[] {
  const goesAt = ({ kind }: Planted) => {
    const tier = tiers.get(kind) ?? "identifier";
    return isAtMost(tier === "floor" ? "public" : tier === "identifier" || place === "content" ? "filtered" : "private", level);
  };
  return planted.filter(goesAt).map(({ text }) => text);
}

const here = "https://pages.example/reading";

/** A URL with the text in path, query and fragment. */
const urlWith = (text: string) => {
  const encoded = encodeURIComponent(text);
  return `${here}/${encoded}/end?note=${encoded}&q=${encoded}#${encoded}`;
};

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/**
 * Messages with each text in content of every format, in metadata, and in titles and URLs; some are updates of a context that had nothing in
 * it.
 */
function messagesAt(level: PrivacyLevel): object[] {
  const texts = textsAt(level, "content");
  const html = texts.map((text) => `<p title="${escaped(text)}">${escaped(text)}</p><pre>${escaped(text)}</pre><!-- ${text} -->`);
  const fields = texts.map((value, index) => ({ name: `note${index}`, type: "textarea", label: "Note", filled: true, value }));
  const contexts: object[] = [
    { content: texts.map((text) => `A line before.\n${text}\nA line after.`).join("\n\n") },
    { contentFormat: "html", content: html.join("\n") },
    { contentFormat: "markdown", content: texts.map((text) => `# Notes\n\n- ${text}\n\n\`\`\`\n${text}\n\`\`\``).join("\n\n") },
    { type: "form", content: JSON.stringify(fields) },
    ...texts.map((text) => ({
      metadata: { note: text, [text.slice(0, 500)]: true },
      tabMetadata: { id: "7", url: here, title: "Reading", lang: text, ...(text.length <= 128 && { openerTabId: text }) },
    })),
    ...textsAt(level, "title or url").map((text) => {
      const url = /https?:\/\/\S+/.exec(text)?.[0] ?? urlWith(text);
      const tabMetadata = { id: "7", url, title: `Tab: ${text}`, referrer: urlWith(text), favIconUrl: urlWith(text) };
      return { url: urlWith(text), title: text, tabMetadata };
    }),
  ];
  return contexts.flatMap((context, index) => {
    const changes = { ...context, privacyLevel: level };
    if (index % 4 !== 0) return [createMessage({ context: changes })];
    const id = `updated-${level}-${index}`;
    return [createMessage({ context: { id, privacyLevel: level } }), updateMessage(id, changes)];
  });
}

/** Settings and errors of an extension with the values wherever text may stand. */
const reports = () =>
  textsAt("filtered", "content").flatMap((text, index) => {
    const nested = { note: text, [text]: 1, list: [text, { deep: text }] };
    const error = { ...errorMessage(text, { message: text, details: nested }), id: `error-${index}` };
    return [configMessage(`config-${index}`, index, nested, `extension-${index % 7}`), error];
  });

/** Messages that are refused, or that carry the text where nothing is read. */
function refusedWith({ text }: Planted): unknown[] {
  const good = createMessage({ context: { id: "good" } });
  const at = (fields: object) => createMessage({ context: { content: text, ...fields } });
  return [
    { ...good, note: text, payload: { ...good.payload, note: text, context: { ...good.payload.context, note: text } } },
    ...[{ tabMetadata: undefined }, { type: text }, { capturedAt: text }, { contentFormat: text, privacyLevel: text }].map(at),
    ...[{ id: text }, { userId: text }, { url: "chrome://settings/" }, { url: `no url ${text}` }].map(at),
    at({ tabMetadata: { id: "7", url: here, title: text, incognito: true } }),
    ...[{ type: text }, { timestamp: text }].map((fields) => ({ ...good, ...fields })),
    updateMessage("nobody-has-this", { content: text }),
    text,
    [text],
  ];
}

/** What is looked for in bytes, and whose it is. */
interface Needle {
  owner: string;
  spelling: string;
  bytes: string;
}

/** A value as it was sent and in every other spelling that a server could give it. */
function spellingsOf(owner: string, value: string): Needle[] {
  const encoded = encodeURIComponent(value);
  const json = JSON.stringify(value).slice(1, -1);
  // At each of the three places that it can have in a longer text, without the characters that its neighbours change.
  const base64 = ["", "x", "xx"]
    .map((before) => btoa(String.fromCharCode(...Buffer.from(before + value))).slice(before === "" ? 0 : 4, -4))
    .filter((text) => text.length >= 8);
  const texts: Array<[string, string]> = [
    ["as sent", value],
    ["percent-encoded", encoded],
    ["form-encoded", encoded.replaceAll("%20", "+")],
    ["JSON-escaped", json],
    ["JSON-escaped twice", JSON.stringify(json).slice(1, -1)],
    ["HTML-escaped", escaped(value)],
    ["lower-cased", value.toLowerCase()],
    ["hex", Buffer.from(value).toString("hex")],
    ...base64.flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")]).map((text): [string, string] => ["base64", text]),
    ...indexedEnds(value).map((end): [string, string] => ["as the index stores it", end]),
  ];
  return texts.map(([spelling, text]) => ({ owner, spelling, bytes: Buffer.from(text, "utf8").toString("latin1") }));
}

/**
 * How a text's long words end in the index, whatever the language of what they stand in. It stores a word folded and stemmed, and without
 * what it has in common with the word before.
 */
function indexedEnds(text: string): string[] {
  const found = new Set<string>();
  for (const language of languages) {
    const termsOf = wordTermsIn(language);
    const add = (word: string) => {
      const { term, accented = term } = termsOf(word);
      found.add(term).add(accented);
    };
    scan(text, {
      word: (start, end) => add(text.slice(start, end)),
      joined: (start, end) => add(withoutJoiners(text.slice(start, end))),
      gram: () => {},
    });
  }
  return [...found].filter((word) => word.length >= 12).map((word) => word.slice(-9));
}

/** Every needle that stands in one of the files, as `owner, spelling, file`. */
function tracesIn(files: readonly RawFile[], wanted: readonly Needle[]): string[] {
  const found = files.flatMap(({ file, bytes }) =>
    wanted.filter((needle) => bytes.includes(needle.bytes)).map(({ owner, spelling }) => `${owner}, ${spelling}, ${file}`),
  );
  return [...new Set(found)];
}

/** What of a planted value is looked for: too short a value stands by chance in many places, and is looked for with its label. */
const searched = ({ text, value }: Planted): string => (value.length < 9 ? text : value);

const needles = planted.flatMap((value) => {
  // The index may have the words around the value, and the host where the value is a URL.
  const staying = new Set(indexedEnds(value.text.replace(value.value, " ")));
  return spellingsOf(value.kind, searched(value)).filter(({ bytes }) => bytes.length > 8 && !staying.has(bytes));
});

/** What may stay at its level, so that it is found where nothing else is: the search itself is put to the test. */
const control = "control.stays@lighthousekeeper.example";
const controlNeedles = spellingsOf("control", control);

async function sendInBatches(client: TestClient, messages: readonly unknown[]): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (let start = 0; start < messages.length; start += 100) {
    const { body } = await client.batch(messages.slice(start, start + 100));
    errors.push(...body.results.flatMap((result: { error?: unknown }) => result.error ?? []));
  }
  return errors;
}

it("plants a value of every kind, which can be looked for", () => {
  // The name of a detector that reports everything under the kind of its label.
  const kinds = detectorKinds.map(({ kind }) => kind).filter((kind) => kind !== "labelled_value");
  expect(new Set(planted.map(({ kind }) => kind))).toEqual(new Set([...kinds, "denied"]));
  expect(new Set(needles.map(({ owner }) => owner)).size).toBe(planted.length);
});

it("leaves no planted value in any file, running, killed or stopped", async () => {
  const rates = ["SYNC", "BATCH_SYNC", "READ", "SEARCH", "DELETE", "ANONYMOUS"].map((name) => [`RATE_LIMIT_${name}`, "1000000"]);
  await using installation = await Installation.create({ LOG_LEVEL: "trace", ...Object.fromEntries(rates) });
  const client = await installation.client((): ServerProcess => server);
  let server = await installation.serve();
  const said: string[] = [];
  const files = (): RawFile[] => [
    ...rawFiles(installation.dataDir),
    ...[...said, server.out, server.err].map((text, index) => ({ file: `output ${index}`, bytes: Buffer.from(text).toString("latin1") })),
  ];
  const checkAll = () => {
    // Names kinds and files, never what is in them.
    expect(tracesIn(files(), needles)).toEqual([]);
    const controls = tracesIn(files(), controlNeedles).join();
    for (const spelling of ["as sent", "as the index stores it"]) expect(controls).toContain(`control, ${spelling}, `);
  };
  // What is written over before all files are looked at stood in the log first.
  const checkLog = () => {
    const logs = files().filter(({ file }) => file.endsWith("-wal"));
    expect([logs.length, tracesIn(logs, needles)]).toEqual([1, []]);
  };

  // The list itself is stored as the user wrote it, here in capitals.
  expect((await client.putRules({ denyList: ["ZEBEDEE QUILLFEATHER"] })).status).toBe(200);
  expect((await client.sync(createMessage({ context: { content: `write to ${control}`, privacyLevel: "private" } }))).status).toBe(201);
  const stored = [...(["public", "private", "filtered", "restricted"] as const).flatMap(messagesAt), ...reports()];
  expect(await sendInBatches(client, stored)).toEqual([]);
  // Again: replays, and messages whose id is known with another body.
  expect(await sendInBatches(client, stored.slice(0, 100))).toEqual([]);
  checkLog();
  for (const message of stored.slice(100, 110)) expect((await client.sync(message)).status).toBe(201);
  const known = (content: string) => createMessage({ messageId: "known", context: { content } });
  await sendInBatches(client, ["first", ...planted.map(({ text }) => text)].map(known));
  await sendInBatches(client, planted.flatMap(refusedWith));
  for (const message of refusedWith(planted[0]!)) await client.sync(message);
  const totalOf = async (phrase: string) => {
    const { status, body } = await client.get(`/context/search?query=${encodeURIComponent(`"${phrase.replaceAll('"', " ")}"`)}`);
    return [status, body.total];
  };
  expect(await totalOf(control)).toEqual([200, 1]);
  for (const value of planted) expect(await totalOf(searched(value))).toEqual([200, 0]);
  checkLog();

  await server.end("SIGKILL");
  checkAll();
  said.push(server.out, server.err);
  server = await installation.serve();
  await sendInBatches(client, stored.slice(110, 150));
  checkLog();
  expect(await server.end("SIGTERM")).toBe(0);
  checkAll();
});

/** A token of a vendor, which goes at every level; its end is its own. */
const tokenOf = (index: number) => joined("gh", "p_", `aB3dE6gH1jK4mN7pQ0sT2vW5yZ8c${(index * 7_919_993).toString(36).padStart(9, "q")}`);

it("stores a secret through no field of a documented message, except in ids", async ({ server, client }) => {
  const { "/context/sync": sync, "/context/batch-sync": batchSync } = openApi.paths;
  const examples = [sync, batchSync].flatMap(({ post }) => Object.values(post.requestBody.content["application/json"].examples));
  const tokens = new Map<string, string>();
  const statuses = new Set<number>();
  for (const { value: example } of examples)
    for (const path of placesIn(example)) {
      const place = path.join(".");
      if (/(?:^|\.)(?:id|extensionId|tabId|contextId)$/.test(place)) continue;
      const isAddress = /url|referrer/i.test(place);
      for (const [before, after] of [["", ""], ...(isAddress ? [["https://e.example/p/", "?note=1"]] : [])] as const) {
        const token = tokenOf(tokens.size);
        tokens.set(token, place);
        const { userId: _, ...body } = withPlace(example, path, before + token + after) as { id?: string; userId?: string };
        statuses.add((await client.sync(typeof body === "object" && body.id ? { ...body, id: token.slice(-9) } : body)).status);
      }
    }
  expect([...statuses].toSorted((a, b) => a - b)).toEqual([201, 207, 400]);
  const bytes = rawFiles(server.config.dataDir)
    .map((file) => file.bytes)
    .join("\n");
  expect([...tokens].filter(([token]) => bytes.includes(token)).map(([, place]) => place)).toEqual([]);
});
