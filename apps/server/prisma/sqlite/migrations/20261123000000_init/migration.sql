CREATE TABLE "users" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "createdAt" DATETIME NOT NULL,
    -- Counts the writes to the user's data, for optimistic locking.
    "revision" BIGINT NOT NULL,
    "agentUsedAt" DATETIME,
    "apiUsedAt" DATETIME
);

CREATE TABLE "api_keys" (
    "keyId" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "maxPrivacyLevel" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME,
    "lastUsedAt" DATETIME,
    "revokedAt" DATETIME
);
CREATE INDEX "api_keys_userId_idx" ON "api_keys"("userId");

-- The content stands last: a list of history then never reads its overflow pages.
CREATE TABLE "contexts" (
    "seq" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" TEXT NOT NULL,
    "contextId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "tabId" TEXT NOT NULL,
    "extensionId" TEXT NOT NULL,
    "capturedAt" DATETIME NOT NULL,
    "privacyLevel" TEXT NOT NULL,
    "writtenAt" DATETIME NOT NULL,
    "viewedAt" DATETIME,
    "lastSeenAt" DATETIME,
    "contentFormat" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "tabMetadata" TEXT NOT NULL,
    "metadata" TEXT NOT NULL,
    "levelReasons" TEXT NOT NULL,
    "lastReadAt" DATETIME,
    "lastReadKeyId" TEXT,
    "plainText" TEXT,
    "content" TEXT NOT NULL
);
CREATE UNIQUE INDEX "contexts_userId_contextId_key" ON "contexts"("userId", "contextId");
-- Covers a page of history and its count, filters included.
CREATE INDEX "contexts_userId_capturedAt_contextId_type_privacyLevel_idx" ON "contexts"("userId", "capturedAt", "contextId" DESC, "type", "privacyLevel");
-- What is current, of each level by itself: viewed last, or captured last where nothing is viewed. Also in one tab or one browser.
CREATE INDEX "contexts_userId_privacyLevel_viewedAt_capturedAt_idx" ON "contexts"("userId", "privacyLevel", "viewedAt", "capturedAt");
CREATE INDEX "contexts_userId_tabId_privacyLevel_viewedAt_capturedAt_idx" ON "contexts"("userId", "tabId", "privacyLevel", "viewedAt", "capturedAt");
CREATE INDEX "contexts_userId_extensionId_privacyLevel_viewedAt_capturedAt_idx" ON "contexts"("userId", "extensionId", "privacyLevel", "viewedAt", "capturedAt");

CREATE TABLE "tombstones" (
    "userId" TEXT NOT NULL,
    "contextId" TEXT NOT NULL,
    "deletedAt" DATETIME NOT NULL,
    "storedAt" DATETIME NOT NULL,
    PRIMARY KEY ("userId", "contextId")
) WITHOUT ROWID;
CREATE INDEX "tombstones_storedAt_idx" ON "tombstones"("storedAt");

CREATE TABLE "processed_messages" (
    "userId" TEXT NOT NULL,
    "extensionId" TEXT NOT NULL,
    "messageId" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "privacyLevel" TEXT NOT NULL,
    "result" TEXT NOT NULL,
    "processedAt" DATETIME NOT NULL,
    PRIMARY KEY ("userId", "extensionId", "messageId")
) WITHOUT ROWID;
CREATE INDEX "processed_messages_processedAt_idx" ON "processed_messages"("processedAt");

CREATE TABLE "extensions" (
    "userId" TEXT NOT NULL,
    "extensionId" TEXT NOT NULL,
    "lastSeenAt" DATETIME NOT NULL,
    "config" TEXT,
    "configAt" DATETIME,
    "keyId" TEXT,
    PRIMARY KEY ("userId", "extensionId")
);

CREATE TABLE "extension_errors" (
    "seq" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" TEXT NOT NULL,
    "extensionId" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "details" TEXT,
    "occurredAt" DATETIME NOT NULL
);
CREATE INDEX "extension_errors_userId_seq_idx" ON "extension_errors"("userId", "seq");

-- A user's own privacy rules.
CREATE TABLE "privacy_rules" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "version" INTEGER NOT NULL,
    "rules" TEXT NOT NULL,
    "updatedAt" DATETIME NOT NULL
) WITHOUT ROWID;

-- How long a user's contexts are kept.
CREATE TABLE "retention_rules" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "rules" TEXT NOT NULL,
    "updatedAt" DATETIME NOT NULL
) WITHOUT ROWID;

-- How far stored contexts have been filtered again.
CREATE TABLE "privacy_progress" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "policy" TEXT NOT NULL,
    "run" TEXT NOT NULL,
    "checkedTo" TEXT NOT NULL,
    "counts" TEXT NOT NULL,
    "finishedAt" DATETIME,
    "updatedAt" DATETIME NOT NULL
) WITHOUT ROWID;

-- How many requests of each kind came with a key on a day.
CREATE TABLE "usage_by_day" (
    "userId" TEXT NOT NULL,
    "day" INTEGER NOT NULL,
    "keyId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "requests" INTEGER NOT NULL,
    "refused" INTEGER NOT NULL,
    PRIMARY KEY ("userId", "day", "keyId", "kind")
);
CREATE INDEX "usage_by_day_day_idx" ON "usage_by_day"("day");

-- People's accounts in the portal, as better-auth keeps them.
CREATE TABLE "auth_users" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "emailVerified" BOOLEAN NOT NULL,
    "image" TEXT,
    "isOwner" BOOLEAN NOT NULL,
    "disabledAt" DATETIME,
    "lastSignInAt" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);
CREATE UNIQUE INDEX "auth_users_email_key" ON "auth_users"("email");

CREATE TABLE "auth_sessions" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "ipAddress" TEXT,
    "userAgent" TEXT,
    "expiresAt" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);
CREATE UNIQUE INDEX "auth_sessions_token_key" ON "auth_sessions"("token");
CREATE INDEX "auth_sessions_userId_idx" ON "auth_sessions"("userId");

CREATE TABLE "auth_accounts" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "providerId" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "password" TEXT,
    "accessToken" TEXT,
    "refreshToken" TEXT,
    "idToken" TEXT,
    "accessTokenExpiresAt" DATETIME,
    "refreshTokenExpiresAt" DATETIME,
    "scope" TEXT,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);
CREATE INDEX "auth_accounts_userId_idx" ON "auth_accounts"("userId");

CREATE TABLE "auth_passkeys" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "name" TEXT,
    "publicKey" TEXT NOT NULL,
    "credentialID" TEXT NOT NULL,
    "counter" INTEGER NOT NULL,
    "deviceType" TEXT NOT NULL,
    "backedUp" BOOLEAN NOT NULL,
    "transports" TEXT,
    "aaguid" TEXT,
    "createdAt" DATETIME
);
CREATE INDEX "auth_passkeys_userId_idx" ON "auth_passkeys"("userId");
CREATE INDEX "auth_passkeys_credentialID_idx" ON "auth_passkeys"("credentialID");

CREATE TABLE "auth_verifications" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);
CREATE INDEX "auth_verifications_identifier_idx" ON "auth_verifications"("identifier");

-- Programs that people let in, and their codes and tokens.
CREATE TABLE "auth_clients" (
    "clientId" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "redirectUris" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL
);

CREATE TABLE "auth_tokens" (
    "tokenId" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "redirectUri" TEXT,
    "challenge" TEXT,
    "expiresAt" DATETIME NOT NULL,
    "usedAt" DATETIME
);
CREATE INDEX "auth_tokens_userId_idx" ON "auth_tokens"("userId");
CREATE INDEX "auth_tokens_clientId_idx" ON "auth_tokens"("clientId");

-- What signs the cookies of sessions.
CREATE TABLE "auth_secrets" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL
);

-- Tokens that make one account each.
CREATE TABLE "invites" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "isOwner" BOOLEAN NOT NULL,
    "note" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- The search index. The server analyses texts itself; the index takes the terms as they come: whatever stands between spaces.
-- Each term begins with its owner's number in base 36, so that a search walks one user's postings only. The content stands first: every
-- posting of another column takes two bytes to say so.
CREATE VIRTUAL TABLE "search_index" USING fts5(
    content, title, meta, forms, filters, urlGrams,
    content = '', contentless_delete = 1, tokenize = "ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);
-- Deletes leave the merging of what is left to the server's cleaning, which does it in steps: by itself, FTS5 rewrites the whole index in
-- one commit, again and again while many contexts are deleted.
INSERT INTO "search_index" ("search_index", "rank") VALUES ('deletemerge', 0);

-- Terms of a context for ranking, as hashes. They have the time beside them, so that no page of the context itself is read for it.
CREATE TABLE "search_terms" (
    "seq" INTEGER NOT NULL PRIMARY KEY,
    "capturedAt" DATETIME NOT NULL,
    "terms" BLOB NOT NULL
);
-- The times of many contexts, without a look at the terms between them.
CREATE INDEX "search_terms_seq_capturedAt_idx" ON "search_terms"("seq", "capturedAt");

-- Short names for users in terms.
CREATE TABLE "search_owners" (
    "owner" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" TEXT NOT NULL UNIQUE
);

-- Whatever deletes a context takes it out of the index.
CREATE TRIGGER "search_delete" AFTER DELETE ON "contexts" BEGIN
    DELETE FROM "search_index" WHERE rowid = old."seq";
    DELETE FROM "search_terms" WHERE "seq" = old."seq";
END;

CREATE TRIGGER "search_user_delete" AFTER DELETE ON "users" BEGIN
    DELETE FROM "search_owners" WHERE "userId" = old."userId";
END;
