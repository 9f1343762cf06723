-- Which words of a context may follow each other, in a few hundred bytes, apart from the vectors: a phrase reads them of many contexts.
-- Contexts that were indexed before this have none, and those with too many different words.
CREATE TABLE "search_pairs" (
    "seq" INTEGER NOT NULL PRIMARY KEY,
    "pairs" BLOB NOT NULL
);

-- As before, and with the new table.
DROP TRIGGER "search_delete";
CREATE TRIGGER "search_delete" AFTER DELETE ON "contexts" BEGIN
    DELETE FROM "search_index" WHERE rowid = old."seq";
    DELETE FROM "search_vectors" WHERE "seq" = old."seq";
    DELETE FROM "search_pairs" WHERE "seq" = old."seq";
    DELETE FROM "search_pending" WHERE "seq" = old."seq";
    UPDATE "search_owners" SET "contexts" = "contexts" - 1 WHERE "userId" = old."userId";
END;

DROP TRIGGER "search_update";
CREATE TRIGGER "search_update" AFTER UPDATE OF "seq", "userId", "contextId", "type", "capturedAt", "privacyLevel", "contentFormat", "title", "url", "content", "plainText", "tabMetadata", "metadata" ON "contexts"
WHEN old."seq" IS NOT new."seq" OR old."userId" IS NOT new."userId" OR old."contextId" IS NOT new."contextId" OR old."type" IS NOT new."type"
    OR old."capturedAt" IS NOT new."capturedAt" OR old."privacyLevel" IS NOT new."privacyLevel" OR old."contentFormat" IS NOT new."contentFormat"
    OR old."title" IS NOT new."title" OR old."url" IS NOT new."url" OR old."plainText" IS NOT new."plainText"
    OR old."content" IS NOT new."content" OR old."tabMetadata" IS NOT new."tabMetadata" OR old."metadata" IS NOT new."metadata"
BEGIN
    DELETE FROM "search_index" WHERE rowid = old."seq";
    DELETE FROM "search_vectors" WHERE "seq" = old."seq";
    DELETE FROM "search_pairs" WHERE "seq" = old."seq";
    DELETE FROM "search_pending" WHERE "seq" = old."seq";
    INSERT OR REPLACE INTO "search_pending" VALUES (new."seq", random() & 4294967295);
    UPDATE "search_owners" SET "contexts" = "contexts" - 1 WHERE "userId" = old."userId";
    INSERT INTO "search_owners" ("userId", "contexts") VALUES (new."userId", 1) ON CONFLICT ("userId") DO UPDATE SET "contexts" = "contexts" + 1;
END;
