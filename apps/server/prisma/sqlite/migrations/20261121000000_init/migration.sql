CREATE TABLE "users" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "createdAt" DATETIME NOT NULL
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
    "lastSeenAt" DATETIME,
    "contentFormat" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "tabMetadata" TEXT NOT NULL,
    "metadata" TEXT NOT NULL,
    "plainText" TEXT,
    "content" TEXT NOT NULL
);
CREATE UNIQUE INDEX "contexts_userId_contextId_key" ON "contexts"("userId", "contextId");
-- Covers a page of history and its count, filters included.
CREATE INDEX "contexts_userId_capturedAt_contextId_type_privacyLevel_idx" ON "contexts"("userId", "capturedAt" DESC, "contextId", "type", "privacyLevel");
-- What is current in one tab, or in one browser.
CREATE INDEX "contexts_userId_tabId_capturedAt_idx" ON "contexts"("userId", "tabId", "capturedAt" DESC);
CREATE INDEX "contexts_userId_extensionId_capturedAt_idx" ON "contexts"("userId", "extensionId", "capturedAt" DESC);

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
