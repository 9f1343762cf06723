import { expect } from "vitest";
import { withPostgresStorage as it } from "../../../test/postgres-storage.js";
import { noChanges, writtenContext } from "../../../test/written-context.js";
import type { ProcessedMessage } from "../../contexts/context.store.js";
import { postgresEngine } from "./engine.js";

const everything = { messages: [], contextIds: [] };
const processed = (messageId: string) =>
  ({ extensionId: "e", messageId, fingerprint: "f", privacyLevel: "private", result: "{}", processedAt: 2_000 }) satisfies ProcessedMessage;

it("commits one of several changes that were made from the same revision", async ({ one }) => {
  await using other = await postgresEngine(one.database.url).open({ searchTimeoutMs: 1_000 });
  await one.storage.access.createUser("ada", 1_000);
  const state = await one.storage.userData.load("ada", everything);
  const stores = [one.storage, other];
  const commits = await Promise.all(
    Array.from({ length: 8 }, async (_, index) =>
      stores[index % 2]?.userData.commit("ada", {
        ...noChanges,
        revision: state?.revision ?? 0,
        created: [writtenContext("ada", `c${index}`)],
        processed: [processed("m")],
      }),
    ),
  );
  expect(commits.filter((isDone) => isDone)).toHaveLength(1);
  const left = await one.storage.userData.load("ada", { messages: [{ extensionId: "e", messageId: "m" }], contextIds: ["c0"] });
  expect(left).toMatchObject({ revision: 1_001, processed: [processed("m")] });
  expect(await one.database.rows("SELECT count(*)::int AS count FROM contexts")).toEqual([{ count: 1 }]);
});

it("reads a user's state as of one moment", async ({ one }) => {
  await one.write("ada", { created: [writtenContext("ada", "c", { writtenAt: 0 })] });
  let isOver = false;
  const writer = (async () => {
    for (let at = 1; !isOver; at++) {
      const state = await one.storage.userData.load("ada", everything);
      const replaced = [writtenContext("ada", "c", { writtenAt: at })];
      await one.storage.userData.commit("ada", { ...noChanges, revision: state?.revision ?? 0, replaced });
    }
  })();
  for (let read = 0; read < 50; read++) {
    const state = await one.storage.userData.load("ada", { messages: [], contextIds: ["c"] });
    expect((state?.revision ?? 0) - (state?.contexts[0]?.writtenAt ?? 0)).toBe(1_001);
  }
  isOver = true;
  await writer;
});

it("says what is wrong with a database that cannot be read or written", async ({ one }) => {
  await one.storage.check();
  await one.write("ada", {});
  // As PostgreSQL reports it; filling a real disk would stop everything else on it.
  await one.database.rows(
    `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'; END $$`,
  );
  await one.database.rows("CREATE TRIGGER full_disk BEFORE INSERT ON contexts FOR EACH STATEMENT EXECUTE FUNCTION full_disk()");
  const unavailable = (message: RegExp) => ({
    code: "unavailable",
    message: expect.stringMatching(message),
    extra: { retryAfterSeconds: 5 },
  });
  await expect(one.write("ada", { created: [writtenContext("ada", "c")] })).rejects.toMatchObject(unavailable(/disk is full/));
  await one.database.rows(`ALTER DATABASE ${one.database.name} SET default_transaction_read_only = on`);
  await using readOnly = await postgresEngine(one.database.url).open({ searchTimeoutMs: 1_000 });
  await expect(readOnly.check()).rejects.toMatchObject(unavailable(/read-only/));
  await expect(readOnly.contexts.remove({ userId: "ada", maxPrivacyLevel: "restricted" }, "c", 1)).rejects.toMatchObject(
    unavailable(/read-only/),
  );
});
