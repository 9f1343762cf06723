import Database from "better-sqlite3";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { createMessage, deleteMessage } from "./messages.js";
import { TestServer } from "./test-server.js";

/** Rows as the database has them; no answer of the service shows them. */
function rows<Row>(server: TestServer, sql: string, ...parameters: string[]): Row[] {
  const db = new Database(server.databaseFile, { readonly: true });
  try {
    return db.prepare<string[], Row>(sql).all(...parameters);
  } finally {
    db.close();
  }
}

const at = (minute: number) => new Date(Date.UTC(2026, 0, 31, 12, minute)).toISOString();

const errorMessage = (code: string, report: object = {}) => ({
  id: `error-${code}`,
  type: "error",
  timestamp: at(0),
  payload: { type: "error", code, message: "it broke", ...report },
});

const configMessage = (id: string, minute: number, config: object, extensionId = "laptop") => ({
  id,
  type: "config",
  timestamp: at(minute),
  extensionId,
  payload: { type: "config", config },
});

describe("extension errors", () => {
  it("are kept up to 1,000 a user, the newest ones", { timeout: 30_000 }, async () => {
    await using server = await TestServer.start();
    const [client, other] = [await server.client(), await server.client()];
    await other.sync(errorMessage("other"));
    const codes = Array.from({ length: 1050 }, (_, index) => `E${index}`);
    for (let start = 0; start < codes.length; start += 100) {
      const { body } = await client.batch(codes.slice(start, start + 100).map((code) => errorMessage(code)));
      expect(body.failed).toBe(0);
    }
    const kept = rows<{ code: string }>(server, "SELECT code FROM extension_errors WHERE userId = ? ORDER BY seq", client.userId);
    expect(kept.map(({ code }) => code)).toEqual(codes.slice(-1000));
    expect(rows(server, "SELECT code FROM extension_errors WHERE userId = ?", other.userId)).toEqual([{ code: "other" }]);
  });
});

describe("settings of an extension", () => {
  it("are kept as the newest message has them, one set an instance", async () => {
    await using server = await TestServer.start();
    const client = await server.client();
    const sent = [
      configMessage("first", 1, { theme: "light" }),
      configMessage("newest", 3, { theme: "dark" }),
      configMessage("late", 2, { theme: "late" }),
      configMessage("phone", 1, { theme: "phone" }, "phone"),
    ];
    for (const message of sent) expect((await client.sync(message)).status).toBe(201);
    const kept = rows<{ config: string }>(server, "SELECT config FROM extensions WHERE userId = ? ORDER BY extensionId", client.userId);
    expect(kept.map(({ config }) => JSON.parse(config))).toEqual([{ theme: "dark" }, { theme: "phone" }]);
  });
});

describe("what config and error messages carry", () => {
  const [email, card, password] = ["ada.planted@mail.example", "4111 1111 1111 1111", "Hunter2-planted"];
  const secretFields = { note: `write to ${email}, card ${card}`, password };

  // Like content: an address goes from the level `filtered` on.
  it.each([
    ["public", [email]],
    ["filtered", []],
  ] as const)("is filtered before any file of the database has it, at the least level %s", async (minimumLevel, left) => {
    await using server = await TestServer.start({ privacyPolicy: { minimumLevel } });
    const client = await server.client();
    const messages = [
      configMessage("c", 1, { ...secretFields, kept: "a setting of lighthouses" }),
      errorMessage("E", { message: `failed: ${secretFields.note}`, details: { ...secretFields, deep: [secretFields] } }),
    ];
    for (const message of messages) expect((await client.sync(message)).status).toBe(201);
    const files = [server.databaseFile, `${server.databaseFile}-wal`].filter((file) => existsSync(file));
    const bytes = files.map((file) => readFileSync(file, "latin1")).join("");
    for (const table of ["extensions", "extension_errors"]) expect(rows(server, `SELECT * FROM ${table}`)).toHaveLength(1);
    expect(bytes).toContain("a setting of lighthouses");
    expect([email, card, password].filter((secret) => bytes.includes(secret))).toEqual(left);
  });
});

describe("replay records and tombstones", () => {
  it("are forgotten after 7 days, and not before", async () => {
    const [hour, day] = [3_600_000, 86_400_000];
    const start = Date.UTC(2026, 1, 1);
    await using server = await TestServer.start();
    server.clock.now = start;
    const client = await server.client();
    const [early, late] = [createMessage({ context: { id: "early" } }), createMessage({ context: { id: "late" } })];
    await client.batch([early, deleteMessage("early-gone")]);
    server.clock.now = start + 2 * hour;
    await client.batch([late, deleteMessage("late-gone")]);

    server.clock.now = start + 7 * day + 2 * hour;
    await server.restart();
    const count = (table: string) => rows<{ count: number }>(server, `SELECT count(*) AS count FROM ${table}`);
    await vi.waitFor(() => expect([count("processed_messages"), count("tombstones")]).toEqual([[{ count: 2 }], [{ count: 1 }]]), 10_000);
    expect((await client.sync(early)).body.duplicate).toBeUndefined();
    expect((await client.sync(late)).body.duplicate).toBe(true);
    await client.batch([createMessage({ context: { id: "early-gone" } }), createMessage({ context: { id: "late-gone" } })]);
    expect((await client.get("/context/early-gone")).status).toBe(200);
    expect((await client.get("/context/late-gone")).status).toBe(404);
  });
});
