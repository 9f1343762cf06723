import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { configMessage, errorMessage } from "./messages.js";
import { TestServer } from "./test-server.js";

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
    for (const table of ["extensions", "extension_errors"]) expect(await server.rows(`SELECT * FROM ${table}`)).toHaveLength(1);
    expect(bytes).toContain("a setting of lighthouses");
    expect([email, card, password].filter((secret) => bytes.includes(secret))).toEqual(left);
  });
});
