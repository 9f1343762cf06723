-- The server analyses texts itself; this table takes the terms as they come. Where words stand, and how often, is in "search_vectors".
DROP TRIGGER "search_index_insert";
DROP TRIGGER "search_index_delete";
DROP TRIGGER "search_index_update";
DROP VIEW "search_documents";
DROP TABLE "search_index";
DROP INDEX "contexts_search_idx";

-- A term is the owner's number in base 36, a sign for its kind, and what it says: a search walks its user's rows only.
CREATE VIRTUAL TABLE "search_index" USING fts5(
    terms,
    content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars ':^=/@%!#*'"
);

-- What ranking needs of a context, in a row that is read without its text.
CREATE TABLE "search_vectors" (
    "seq" INTEGER NOT NULL PRIMARY KEY,
    "capturedAt" DATETIME NOT NULL,
    "contextId" TEXT NOT NULL,
    "vector" BLOB NOT NULL
);

-- Short names for users in terms, and how many contexts each has.
CREATE TABLE "search_owners" (
    "owner" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" TEXT NOT NULL UNIQUE,
    "contexts" INTEGER NOT NULL
);

-- Contexts whose place in the index is missing or out of date. Whoever writes a context takes it out again within the same transaction;
-- what stays, the server indexes by and by. "version" tells whether a row has changed since it was read.
CREATE TABLE "search_pending" (
    "seq" INTEGER NOT NULL PRIMARY KEY,
    "version" INTEGER NOT NULL
);

CREATE TRIGGER "search_insert" AFTER INSERT ON "contexts" BEGIN
    INSERT OR REPLACE INTO "search_pending" VALUES (new."seq", random() & 4294967295);
    INSERT INTO "search_owners" ("userId", "contexts") VALUES (new."userId", 1) ON CONFLICT ("userId") DO UPDATE SET "contexts" = "contexts" + 1;
END;

CREATE TRIGGER "search_delete" AFTER DELETE ON "contexts" BEGIN
    DELETE FROM "search_index" WHERE rowid = old."seq";
    DELETE FROM "search_vectors" WHERE "seq" = old."seq";
    DELETE FROM "search_pending" WHERE "seq" = old."seq";
    UPDATE "search_owners" SET "contexts" = "contexts" - 1 WHERE "userId" = old."userId";
END;

-- A user's name stays as long as the user, so that it means nobody else.
CREATE TRIGGER "search_user_delete" AFTER DELETE ON "users" BEGIN
    DELETE FROM "search_owners" WHERE "userId" = old."userId";
END;

-- Most updates change nothing that is searched (a heartbeat, a replay): those leave the index alone.
CREATE TRIGGER "search_update" AFTER UPDATE OF "seq", "userId", "contextId", "type", "capturedAt", "privacyLevel", "contentFormat", "title", "url", "content", "plainText", "tabMetadata", "metadata" ON "contexts"
WHEN old."seq" IS NOT new."seq" OR old."userId" IS NOT new."userId" OR old."contextId" IS NOT new."contextId" OR old."type" IS NOT new."type"
    OR old."capturedAt" IS NOT new."capturedAt" OR old."privacyLevel" IS NOT new."privacyLevel" OR old."contentFormat" IS NOT new."contentFormat"
    OR old."title" IS NOT new."title" OR old."url" IS NOT new."url" OR old."plainText" IS NOT new."plainText"
    OR old."content" IS NOT new."content" OR old."tabMetadata" IS NOT new."tabMetadata" OR old."metadata" IS NOT new."metadata"
BEGIN
    DELETE FROM "search_index" WHERE rowid = old."seq";
    DELETE FROM "search_vectors" WHERE "seq" = old."seq";
    DELETE FROM "search_pending" WHERE "seq" = old."seq";
    INSERT OR REPLACE INTO "search_pending" VALUES (new."seq", random() & 4294967295);
    UPDATE "search_owners" SET "contexts" = "contexts" - 1 WHERE "userId" = old."userId";
    INSERT INTO "search_owners" ("userId", "contexts") VALUES (new."userId", 1) ON CONFLICT ("userId") DO UPDATE SET "contexts" = "contexts" + 1;
END;

-- Contexts that were stored before this migration.
INSERT INTO "search_owners" ("userId", "contexts") SELECT "userId", count(*) FROM "contexts" GROUP BY "userId";
INSERT INTO "search_pending" SELECT "seq", 0 FROM "contexts";
