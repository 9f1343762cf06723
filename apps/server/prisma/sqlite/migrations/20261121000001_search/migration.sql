-- Full text of every context, kept by the triggers below whatever writes or deletes the rows. Contentless: the text stays in "contexts" alone.
CREATE VIRTUAL TABLE "search_index" USING fts5(
    owner, title, url, content, metadata,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

-- A context as it is indexed.
-- "owner" is one token for the user, so that a search walks that user's rows only; its trailing digit keeps the stemmer from touching it.
-- Of the JSON objects the values are searched, not the keys: neither "isActive" nor true says what a page is about.
-- A tab's own title and URL mostly repeat the context's, and the time of its last update is no text.
CREATE VIEW "search_documents" AS SELECT
    "seq",
    'u' || lower(hex("userId")) || '0' AS "owner",
    "title",
    "url",
    coalesce("plainText", "content") AS "content",
    concat_ws(char(10),
        (SELECT group_concat(atom, char(10)) FROM json_tree(CASE WHEN json_valid("contexts"."metadata") THEN "contexts"."metadata" ELSE '{}' END)
            WHERE type IN ('text', 'integer', 'real')),
        (SELECT group_concat(atom, char(10)) FROM json_tree(CASE WHEN json_valid("tabMetadata") THEN "tabMetadata" ELSE '{}' END)
            WHERE type IN ('text', 'integer', 'real') AND key IS NOT 'lastUpdated' AND atom IS NOT "title" AND atom IS NOT "url")
    ) AS "metadata"
FROM "contexts";

CREATE TRIGGER "search_index_insert" AFTER INSERT ON "contexts" BEGIN
    REPLACE INTO "search_index"(rowid, owner, title, url, content, metadata)
        SELECT "seq", "owner", "title", "url", "content", "metadata" FROM "search_documents" WHERE "seq" = new."seq";
END;

CREATE TRIGGER "search_index_delete" AFTER DELETE ON "contexts" BEGIN
    DELETE FROM "search_index" WHERE rowid = old."seq";
END;

-- Most updates change no searched column (a heartbeat, a replay): those leave the index alone.
CREATE TRIGGER "search_index_update" AFTER UPDATE OF "seq", "userId", "title", "url", "content", "plainText", "tabMetadata", "metadata" ON "contexts"
WHEN old."seq" IS NOT new."seq" OR old."userId" IS NOT new."userId" OR old."title" IS NOT new."title" OR old."url" IS NOT new."url"
    OR old."plainText" IS NOT new."plainText" OR old."content" IS NOT new."content"
    OR old."tabMetadata" IS NOT new."tabMetadata" OR old."metadata" IS NOT new."metadata"
BEGIN
    DELETE FROM "search_index" WHERE rowid = old."seq";
    REPLACE INTO "search_index"(rowid, owner, title, url, content, metadata)
        SELECT "seq", "owner", "title", "url", "content", "metadata" FROM "search_documents" WHERE "seq" = new."seq";
END;

-- What a search filters and orders by, without a visit to the pages that hold the content.
CREATE INDEX "contexts_search_idx" ON "contexts"("seq", "userId", "capturedAt", "contextId", "type", "privacyLevel", "url");

-- Contexts that were stored before this migration.
INSERT INTO "search_index"(rowid, owner, title, url, content, metadata)
    SELECT "seq", "owner", "title", "url", "content", "metadata" FROM "search_documents";
