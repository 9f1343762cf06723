import { cutsAfterStoring, cutsAnswer, cutsBeforeReading, portal, stalls, stallsInBody, truncates } from "@periscope/harness/faults";
import { expect } from "vitest";
import { settle } from "./harness/queue-client.ts";
import { row } from "./harness/queue-row.ts";
import { filesWith } from "./harness/raw-data.ts";
import { recordWire } from "./harness/stage.ts";

const hour = 3_600_000;

/** What must be nowhere but in the page it was on. Put together here, so that no file of the repository holds one. */
const secrets = {
  card: ["4111", "1111", "1111", "1111"].join(" "),
  token: `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`,
  password: ["correct", "horse7", "battery"].join("-"),
  blockedSite: "dear-diary-of-ada",
  privateWindow: "seen-in-a-private-window",
  oversized: "oversized-beyond-measure",
};
const canary = "canary-that-may-be-read";

/** What goes over a real line, and what must not. What a queue makes of each answer is tested in Node: `packages/sync/test/scenarios`. */
row("F4: stored, then the connection cut, the answer cut, or half of its JSON", async ({ client, stage }) => {
  const queue = client();
  await queue.enqueue(5);
  stage.proxy.faults.push(cutsAfterStoring, cutsAnswer, truncates);
  expect(await queue.drain()).toMatchObject({ synced: 0, duplicates: 5, failed: 0 });
  // On a connection that was used before, the browser itself sends it again.
  stage.proxy.keepsAlive = true;
  await queue.enqueue(1);
  await queue.drain();
  await queue.enqueue(3);
  stage.proxy.faults.push(cutsAfterStoring);
  expect(await queue.drain()).toMatchObject({ synced: 0, duplicates: 3, failed: 0 });
  expect((await queue.status()).deadLetters).toBe(0);
  await settle(queue);
}).finds("makes a new id for each attempt");

row("F9: a captive portal, cut lines, stalled answers, no such host, broken TLS", async ({ client, stage }) => {
  const timeoutMs = 1_500;
  const queue = client({ timeoutMs });
  await queue.enqueue(3);
  for (const fault of [portal, cutsBeforeReading, stalls, stallsInBody]) {
    stage.proxy.faults.push(fault);
    expect(await queue.ask("flush")).toMatchObject({ endedBy: "blocked", requests: 1, synced: 0 });
    expect(await queue.rows()).toHaveLength(3);
    queue.clockOffset += hour;
  }
  for (const baseUrl of ["http://periscope.invalid/api/v1", stage.proxy.baseUrl.replace("http:", "https:")]) {
    const lost = client({ timeoutMs, baseUrl });
    await lost.enqueue(3);
    expect(await lost.ask("flush")).toMatchObject({ endedBy: "blocked", requests: 1, synced: 0 });
    expect(await lost.rows()).toHaveLength(3);
  }
  await settle(queue);
}).finds("takes any answer of 200 as success");

row("F24: secrets, a blocked site, a private window, oversized text leave nothing", async ({ client, stage }) => {
  const { proxy, directories } = stage;
  const wire = recordWire(proxy);
  const queue = client({ blockedSites: ["diary.example"] });
  // The server keeps what another play of the row has sent.
  const before = stage.oracle.contexts(canary).length;
  const [open, diary, hidden, large] = [1, 2, 3, 4].map(() => queue.ledger.message());
  if (!open || !diary || !hidden || !large) throw new Error("Four messages were made.");
  open.payload.context.content = `${canary}. My card number: ${secrets.card}. password: ${secrets.password}\n${secrets.token}`;
  diary.payload.context.content = secrets.blockedSite;
  diary.payload.context.tabMetadata.url = "https://diary.example/today";
  hidden.payload.context.content = secrets.privateWindow;
  hidden.payload.context.tabMetadata.incognito = true;
  large.payload.context.content = `${secrets.oversized} `.repeat(100_000);
  const kept = await queue.ask("enqueue", { input: [open, diary, hidden, large] });
  expect(kept).toMatchObject([
    { status: "queued" },
    { status: "blocked" },
    { status: "blocked" },
    { status: "dropped", reason: "too-large" },
  ]);
  // What may be read is found by the same search: it sees what is there.
  expect(await filesWith([directories.profile], canary)).not.toEqual([]);
  for (const [name, secret] of Object.entries(secrets)) expect([name, await filesWith([directories.profile], secret)]).toEqual([name, []]);
  await queue.drain();
  expect(stage.oracle.contexts(canary)).toHaveLength(before + 1);
  expect(wire()).toContain(canary);
  expect(await filesWith([directories.server], canary)).not.toEqual([]);
  for (const [name, secret] of Object.entries(secrets)) {
    expect([name, await filesWith([directories.profile, directories.server], secret)]).toEqual([name, []]);
    expect([name, wire().includes(secret), stage.server.output().includes(secret)]).toEqual([name, false, false]);
  }
  expect(stage.server.output()).not.toBe("");
}).finds("stores before it filters", { inEveryRun: true, says: /^expected \[ 'card', .* to deeply equal \[ 'card', \[\] \]$/ });
