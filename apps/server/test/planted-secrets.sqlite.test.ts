import { type PrivacyLevel, detectorKinds } from "@periscope/privacy";
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { placesIn, withPlace } from "./json-places.js";
import { configMessage, createMessage, errorMessage, updateMessage } from "./messages.js";
import { document } from "./openapi-walk.js";
import { type Planted, denyList, mustGo, planted } from "./planted-values.js";
import { rawRequest } from "./raw-request.js";
import { Installation, type ServerProcess } from "./server-process.js";
import { type RawFile, rawFiles } from "./stored-bytes.js";
import type { TestClient } from "./test-client.js";
import { withOwnServer as it } from "./test-server.js";
import { languages } from "../src/search/analysis/languages.js";
import { scan, withoutJoiners } from "../src/search/analysis/scan.js";
import { wordTermsIn } from "../src/search/analysis/term-stream.js";

const here = "https://pages.example/reading";

/** A URL with the text in path, query and fragment. */
const urlWith = (text: string) => {
  const encoded = encodeURIComponent(text);
  return `${here}/${encoded}/end?note=${encoded}&q=${encoded}#${encoded}`;
};

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Contexts with each text in content of every format, in metadata, and in titles and URLs. */
function contextsAt(level: PrivacyLevel, values: readonly Planted[]): Array<Record<string, unknown>> {
  const texts = values.filter((value) => mustGo(value, level, "content")).map(({ text }) => text);
  const html = texts.map((text) => `<p title="${escaped(text)}">${escaped(text)}</p><pre>${escaped(text)}</pre><!-- ${text} -->`);
  const fields = texts.map((value, index) => ({ name: `note${index}`, type: "textarea", label: "Note", filled: true, value }));
  const contexts = [
    { content: texts.map((text) => `A line before.\n${text}\nA line after.`).join("\n\n") },
    { contentFormat: "html", content: html.join("\n") },
    { contentFormat: "markdown", content: texts.map((text) => `# Notes\n\n- ${text}\n\n\`\`\`\n${text}\n\`\`\``).join("\n\n") },
    { type: "form", content: JSON.stringify(fields) },
    ...texts.map((text) => ({
      metadata: { note: text, [text.slice(0, 500)]: true },
      tabMetadata: { id: "7", url: here, title: "Reading", lang: text, ...(text.length <= 128 && { openerTabId: text }) },
    })),
    ...values
      .filter((value) => mustGo(value, level, "title or url"))
      .map(({ text }) => {
        const url = /https?:\/\/\S+/.exec(text)?.[0] ?? urlWith(text);
        const tabMetadata = { id: "7", url, title: `Tab: ${text}`, referrer: urlWith(text), favIconUrl: urlWith(text) };
        return { url: urlWith(text), title: text, tabMetadata };
      }),
  ];
  return contexts.map((fields) => ({ ...fields, privacyLevel: level }));
}

/** The same fields in a create, and some in an update of a context that had nothing in it. */
function messagesAt(level: PrivacyLevel, values: readonly Planted[]): Array<Record<string, unknown>> {
  return contextsAt(level, values).flatMap((fields, index) => {
    if (index % 4 !== 0) return [createMessage({ context: fields })];
    const id = `updated-${level}-${index}`;
    return [createMessage({ context: { id, privacyLevel: level } }), updateMessage(id, fields)];
  });
}

/** Settings and errors of an extension with the values wherever text may stand. */
function reportsWith(values: readonly Planted[], level: PrivacyLevel): Array<Record<string, unknown>> {
  return values
    .filter((value) => mustGo(value, level, "content"))
    .flatMap(({ text }, index) => {
      const nested = { note: text, [text]: 1, list: [text, { deep: text }] };
      const error = { ...errorMessage(text, { message: text, details: nested }), id: `error-${level}-${index}` };
      return [configMessage(`config-${level}-${index}`, index, nested, `extension-${index % 7}`), error];
    });
}

/** Messages that are refused, or that carry the text where nothing is read. */
function refusedWith({ text }: Planted): unknown[] {
  const good = createMessage({ context: { id: "good" } });
  const at = (fields: object) => createMessage({ context: { content: text, ...fields } });
  return [
    { ...good, note: text, payload: { ...good.payload, note: text, context: { ...good.payload.context, note: text } } },
    ...[{ tabMetadata: undefined }, { type: text }, { capturedAt: text }, { contentFormat: text, privacyLevel: text }].map(at),
    ...[{ id: text }, { userId: text }, { url: "chrome://settings/" }, { url: `no url ${text}` }].map(at),
    at({ tabMetadata: { id: "7", url: here, title: text, incognito: true } }),
    { ...good, type: text },
    { ...good, timestamp: text },
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
  const texts: Array<[string, string]> = [
    ["as sent", value],
    ["percent-encoded", encoded],
    ["form-encoded", encoded.replaceAll("%20", "+")],
    ["JSON-escaped", json],
    ["JSON-escaped twice", JSON.stringify(json).slice(1, -1)],
    ["HTML-escaped", value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")],
    ["lower-cased", value.toLowerCase()],
    ["hex", Buffer.from(value).toString("hex")],
    ...base64Of(value).map((text): [string, string] => ["base64", text]),
    ...indexedEnds(value).map((end): [string, string] => ["as the index stores it", end]),
  ];
  return texts.map(([spelling, text]) => ({ owner, spelling, bytes: Buffer.from(text, "utf8").toString("latin1") }));
}

/** Base64 of the value at each of the three places that it can have in a longer text, without the characters that its neighbours change. */
function base64Of(value: string): string[] {
  const inner = ["", "x", "xx"].map((before) =>
    Buffer.from(before + value)
      .toString("base64")
      .slice(before === "" ? 0 : 4, -4),
  );
  return inner.filter((text) => text.length >= 8).flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")]);
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
function tracesIn(files: readonly RawFile[], needles: readonly Needle[]): string[] {
  const found = files.flatMap(({ file, bytes }) =>
    needles.filter((needle) => bytes.includes(needle.bytes)).map(({ owner, spelling }) => `${owner}, ${spelling}, ${file}`),
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

const plenty = Object.fromEntries(
  ["SYNC", "BATCH_SYNC", "READ", "SEARCH", "DELETE", "ANONYMOUS"].map((name) => [`RATE_LIMIT_${name}`, "1000000"]),
);

async function sendInBatches(client: TestClient, messages: readonly unknown[]): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (let start = 0; start < messages.length; start += 100) {
    const { body } = await client.batch(messages.slice(start, start + 100));
    errors.push(...body.results.flatMap((result: { error?: unknown }) => (result.error ? [result.error] : [])));
  }
  return errors;
}

/** A value in queries, paths, headers and bodies that no message comes of. */
async function sendElsewhere(client: TestClient, server: ServerProcess, { text }: Planted): Promise<void> {
  const json = { Authorization: `Bearer ${client.key}`, "Content-Type": "application/json" };
  const raw = (path: string, headers: Record<string, string>, body?: string | Buffer) =>
    rawRequest(server.baseUrl, { method: body === undefined ? "GET" : "POST", path: `/api/v1/context/${path}`, headers, body });
  const encoded = encodeURIComponent(text);
  const queries = [
    `search?query=${encoded}`,
    `search?urlPattern=${encoded}`,
    `history?since=${encoded}&${encoded}=1`,
    `current?tabId=${encoded}`,
  ];
  for (const path of [...queries, encoded, `${encoded}/${encoded}?${encoded}`]) await client.get(`/context/${path}`);
  await client.delete(`/context/${encoded}`);
  const header = text.replaceAll(/[^ -~]/g, " ").trim();
  await raw("current", { Authorization: `Bearer ${header}`, "User-Agent": header, Cookie: `sid=${header}` });
  await raw("sync", { ...json, "X-Request-Id": header.slice(0, 100), Referer: header, Origin: header }, `{"note": "${text}`);
  await raw("sync", { ...json, "Content-Encoding": "gzip" }, gzipSync(text));
  await raw("sync", { ...json, "Content-Type": "text/plain" }, text);
}

it("plants a value of every kind, which can be looked for", () => {
  // The name of a detector that reports everything under the kind of its label.
  const kinds = detectorKinds.map(({ kind }) => kind).filter((kind) => kind !== "labelled_value");
  expect(new Set(planted.map(({ kind }) => kind))).toEqual(new Set([...kinds, "denied"]));
  expect(new Set(needles.map(({ owner }) => owner)).size).toBe(planted.length);
});

it("leaves no planted value in any file, running, killed or stopped", async () => {
  await using installation = await Installation.create({ LOG_LEVEL: "trace", ...plenty });
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

  expect((await client.putRules({ denyList })).status).toBe(200);
  expect((await client.sync(createMessage({ context: { content: `write to ${control}`, privacyLevel: "private" } }))).status).toBe(201);
  const stored = [
    ...(["public", "private", "filtered", "restricted"] as const).flatMap((level) => messagesAt(level, planted)),
    ...reportsWith(planted, "filtered"),
  ];
  expect(await sendInBatches(client, stored)).toEqual([]);
  // Again: replays, and messages whose id is known with another body.
  expect(await sendInBatches(client, stored.slice(0, 100))).toEqual([]);
  checkLog();
  for (const message of stored.slice(100, 110)) expect((await client.sync(message)).status).toBe(201);
  const known = (content: string) => createMessage({ messageId: "known", context: { content } });
  await sendInBatches(client, ["first", ...planted.map(({ text }) => text)].map(known));
  const refused = planted.flatMap((value) => refusedWith(value));
  await sendInBatches(client, refused);
  for (const message of refusedWith(planted[0]!)) await client.sync(message);
  for (const value of planted) await sendElsewhere(client, server, value);
  for (const value of planted)
    expect(
      (await client.get(`/context/search?query=${encodeURIComponent(`"${searched(value).replaceAll('"', " ")}"`)}`)).body.total ?? 0,
    ).toBe(0);
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
const tokenOf = (index: number) =>
  `${["gh", "p_"].join("")}aB3dE6gH1jK4mN7pQ0sT2vW5yZ8c${(index * 7_919_993).toString(36).padStart(9, "q")}`;

it("stores a secret through no field of a documented message, except in ids", async ({ server, client }) => {
  const examples = ["/context/sync", "/context/batch-sync"].flatMap((path) =>
    Object.values(document.paths[path]?.post?.requestBody?.content["application/json"]?.examples ?? {}).map(({ value }) => value),
  );
  const tokens = new Map<string, string>();
  const statuses = new Set<number>();
  for (const example of examples)
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
