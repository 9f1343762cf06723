import { detectorKinds } from "@periscope/privacy";
import { gzipSync } from "node:zlib";
import { vendorTokens } from "../../../packages/privacy/src/data/vendor-tokens.js";
import { expect, it } from "vitest";
import { isDeep } from "./deep.js";
import { createMessage } from "./messages.js";
import { messagesAt, refusedWith, reportsWith } from "./planted-messages.js";
import { denied, denyList, planted, type Planted, vendorsLeftOut } from "./planted-values.js";
import { rawRequest } from "./raw-request.js";
import { Installation, type ServerProcess } from "./server-process.js";
import { type RawFile, rawFiles } from "./stored-bytes.js";
import type { TestClient } from "./test-client.js";
import { columnsOf, indexedEnds, indexedPhrases, type Needle, spellingsOf, tracesIn } from "./traces.js";

const everything = [...planted, ...denied];

/** What of a planted value is looked for: too short a value stands by chance in many places, and is looked for with its label. */
const searched = ({ text, value }: Planted): string => (value.length < 9 ? text : value);

const ownerOf = (value: Planted): string => `${value.kind} ${everything.indexOf(value)}`;

/** What the index may have of a planted text: the words around the value, and the host where the value is a URL. */
function mayStay({ text, value }: Planted): Set<string> {
  const rest = [text.replace(value, " "), URL.canParse(value) ? new URL(value).host : ""].join("\n");
  return new Set(indexedEnds(rest));
}

const needles: Needle[] = everything.flatMap((value) => {
  const staying = mayStay(value);
  return spellingsOf(searched(value))
    .filter(({ bytes }) => bytes.length > 8 && !staying.has(bytes))
    .map((spelling) => ({ ...spelling, owner: ownerOf(value) }));
});

/** What may stay at its level, so that it is found where nothing else is: the search itself is put to the test. */
const control = { email: "control.stays@lighthousekeeper.example", title: "ask control.public@fogsignal.example" };
const controlNeedles: Needle[] = Object.entries(control).flatMap(([owner, value]) =>
  spellingsOf(value).map((spelling) => ({ ...spelling, owner: `control ${owner}` })),
);

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

/** Does something with each of the items, with some at once. */
async function forAll<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += 16) await Promise.all(items.slice(start, start + 16).map(work));
}

/** A value in queries, paths, headers and bodies that no message comes of. */
async function sendElsewhere(client: TestClient, server: ServerProcess, { text }: Planted): Promise<void> {
  const json = { Authorization: `Bearer ${client.key}`, "Content-Type": "application/json" };
  const raw = (path: string, headers: Record<string, string>, body?: string | Buffer) =>
    rawRequest(server.baseUrl, { method: body === undefined ? "GET" : "POST", path, headers, body });
  const encoded = encodeURIComponent(text);
  for (const path of [
    `/context/search?query=${encoded}`,
    `/context/search?urlPattern=${encoded}`,
    `/context/history?since=${encoded}&${encoded}=1`,
    `/context/current?tabId=${encoded}`,
    `/context/${encoded}`,
    `/${encoded}/${encoded}?${encoded}`,
  ])
    await client.get(path);
  await client.delete(`/context/${encoded}`);
  const header = text.replaceAll(/[^ -~]/g, " ").trim();
  await raw("/api/v1/context/current", { Authorization: `Bearer ${header}`, "User-Agent": header, Cookie: `sid=${header}` });
  await raw(
    "/api/v1/context/sync",
    { ...json, "X-Request-Id": header.slice(0, 100), Referer: header, Origin: header },
    `{"note": "${text}`,
  );
  await raw("/api/v1/context/sync", { ...json, "Content-Encoding": "gzip" }, gzipSync(text));
  await raw("/api/v1/context/sync", { ...json, "Content-Type": "text/plain" }, text);
}

const ofEachKind = (count: number) => [...Map.groupBy(everything, ({ kind }) => kind).values()].flatMap((some) => some.slice(0, count));

/** A few of each kind: what is not stored at all need not be tried with each of three hundred vendors. */
const fewOfEach = ofEachKind(2);

/** What is synced and has to be stored without the value. */
const synced = isDeep ? everything : ofEachKind(5);

it("plants a token of every vendor shape", () => {
  expect(vendorTokens.length).toBeGreaterThan(300);
  expect(vendorsLeftOut).toEqual([]);
});

it("plants at least two values of every kind", () => {
  // The name of a detector that reports everything under the kind of its label.
  const kinds = detectorKinds.map(({ kind }) => kind).filter((kind) => kind !== "labelled_value");
  const rare = kinds.filter((kind) => planted.filter((value) => value.kind === kind).length < 2);
  expect(rare).toEqual([]);
  expect(new Set(everything.map(({ value }) => value)).size).toBe(everything.length);
  const owners = new Set(needles.map(({ owner }) => owner));
  expect(everything.filter((value) => !owners.has(ownerOf(value)))).toEqual([]);
});

it("leaves no planted value in any file, running, killed or stopped", async () => {
  await using installation = await Installation.create({ LOG_LEVEL: "trace", ...plenty });
  const [client, plain] = [await installation.client(() => server), await installation.client(() => server, "plain")];
  let server = await installation.serve();
  const said: string[] = [];
  const database = () => `${installation.dataDir}/periscope.db`;
  const files = (): RawFile[] => [
    ...rawFiles(installation.dataDir),
    ...[...said, server.out, server.err].map((text, index) => ({ file: `output ${index}`, bytes: Buffer.from(text).toString("latin1") })),
  ];
  // Names kinds and files, never what is in them.
  const expectNothing = (traces: readonly string[]) => {
    const found = traces.filter((trace) => !trace.startsWith("control "));
    const columns = found.length > 0 ? tracesIn(columnsOf(database()), needles).slice(0, 40) : [];
    expect({ found: found.slice(0, 40), columns }).toEqual({ found: [], columns: [] });
  };
  const checkAll = () => {
    const traces = tracesIn(files(), [...needles, ...controlNeedles]);
    expectNothing(traces);
    const controls = traces.map((trace) => trace.split(", ").slice(0, 2).join(", "));
    for (const wanted of ["control email, as sent", "control email, as the index stores it", "control title, as sent"])
      expect(controls).toContain(wanted);
  };
  // What is written over before all files are looked at stood in the log first.
  const checkLog = () => {
    const logs = files().filter(({ file }) => file.endsWith("-wal"));
    expect(logs).toHaveLength(1);
    expectNothing(tracesIn(logs, needles));
  };

  expect((await client.putRules({ denyList })).status).toBe(200);
  const controls = [
    { content: `write to ${control.email}`, privacyLevel: "private" },
    { title: control.title, privacyLevel: "public" },
  ];
  const stored = [
    ...(["public", "private", "filtered", "restricted"] as const).flatMap((level) => messagesAt(level, synced)),
    ...reportsWith(synced, "filtered"),
  ];
  for (const context of controls) expect((await client.sync(createMessage({ context }))).status).toBe(201);
  expect(await sendInBatches(client, stored)).toEqual([]);
  expect(await sendInBatches(plain, reportsWith(planted, "private"))).toEqual([]);
  expect(tracesIn(columnsOf(database()), controlNeedles)).toContain("control email, as sent, contexts.content");
  expect(await indexedPhrases(database(), Object.values(control))).toEqual(Object.values(control));

  // Again: replays, and messages whose id is known with another body.
  expect(await sendInBatches(client, stored.slice(0, 300))).toEqual([]);
  checkLog();
  for (const message of stored.slice(300, 320)) expect((await client.sync(message)).status).toBe(201);
  const known = createMessage({ messageId: "known" });
  await client.sync(known);
  await sendInBatches(
    client,
    fewOfEach.map(({ text }) => createMessage({ messageId: "known", context: { content: text } })),
  );
  const refused = fewOfEach.flatMap((value) => refusedWith(value));
  await sendInBatches(client, refused);
  await forAll(refused, (message) => client.post("/context/sync", message));
  await forAll(fewOfEach, (value) => sendElsewhere(client, server, value));
  checkLog();

  await server.end("SIGKILL");
  checkAll();
  said.push(server.out, server.err);
  server = await installation.serve();
  await sendInBatches(client, stored.slice(320, 420));
  checkLog();
  expect(await server.end("SIGTERM")).toBe(0);
  checkAll();
  const phrases = new Set(await indexedPhrases(database(), everything.map(searched)));
  expect(everything.filter((value) => phrases.has(searched(value))).map(ownerOf)).toEqual([]);
});
