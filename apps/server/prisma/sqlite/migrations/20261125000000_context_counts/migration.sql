-- How many contexts a user has of each type and level, so that a page of history need not count them. A user with many is counted when
-- history is first asked for, and has a row for every type and level from then on; until then the triggers find nothing to change.
CREATE TABLE "context_counts" (
    "userId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "privacyLevel" TEXT NOT NULL,
    "contexts" INTEGER NOT NULL,
    PRIMARY KEY ("userId", "type", "privacyLevel")
) WITHOUT ROWID;

CREATE TRIGGER "count_insert" AFTER INSERT ON "contexts" BEGIN
    UPDATE "context_counts" SET "contexts" = "contexts" + 1
        WHERE "userId" = new."userId" AND "type" = new."type" AND "privacyLevel" = new."privacyLevel";
END;

CREATE TRIGGER "count_delete" AFTER DELETE ON "contexts" BEGIN
    UPDATE "context_counts" SET "contexts" = "contexts" - 1
        WHERE "userId" = old."userId" AND "type" = old."type" AND "privacyLevel" = old."privacyLevel";
END;

CREATE TRIGGER "count_update" AFTER UPDATE OF "userId", "type", "privacyLevel" ON "contexts"
WHEN old."userId" IS NOT new."userId" OR old."type" IS NOT new."type" OR old."privacyLevel" IS NOT new."privacyLevel"
BEGIN
    UPDATE "context_counts" SET "contexts" = "contexts" - 1
        WHERE "userId" = old."userId" AND "type" = old."type" AND "privacyLevel" = old."privacyLevel";
    UPDATE "context_counts" SET "contexts" = "contexts" + 1
        WHERE "userId" = new."userId" AND "type" = new."type" AND "privacyLevel" = new."privacyLevel";
END;

CREATE TRIGGER "count_user_delete" AFTER DELETE ON "users" BEGIN
    DELETE FROM "context_counts" WHERE "userId" = old."userId";
END;
