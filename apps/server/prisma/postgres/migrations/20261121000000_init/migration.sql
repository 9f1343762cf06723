-- Text is compared byte by byte, as in the embedded engine: faster than by any language, and the same on every machine.
-- Every key of what grows starts with the user. No foreign keys, no triggers: users can be spread over machines.

CREATE TABLE "users" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "users_pkey" PRIMARY KEY ("userId")
);

-- Small, and read by the key alone.
CREATE TABLE "api_keys" (
    "keyId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "scopes" TEXT COLLATE "C" NOT NULL,
    "maxPrivacyLevel" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "lastUsedAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),
    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("keyId")
);
CREATE INDEX "api_keys_userId_idx" ON "api_keys"("userId");

-- One row: how often keys or users were taken away. Processes read it to learn that a key they know may be gone.
CREATE TABLE "access_changes" (
    "id" INTEGER NOT NULL,
    "count" BIGINT NOT NULL,
    CONSTRAINT "access_changes_pkey" PRIMARY KEY ("id")
);
INSERT INTO "access_changes" VALUES (1, 0);

-- Room in every page, so that a heartbeat changes its row in place.
CREATE TABLE "contexts" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "contextId" TEXT COLLATE "C" NOT NULL,
    "seq" BIGINT NOT NULL,
    "type" TEXT COLLATE "C" NOT NULL,
    "tabId" TEXT COLLATE "C" NOT NULL,
    "extensionId" TEXT COLLATE "C" NOT NULL,
    "capturedAt" TIMESTAMPTZ(3) NOT NULL,
    "privacyLevel" TEXT COLLATE "C" NOT NULL,
    "writtenAt" TIMESTAMPTZ(3) NOT NULL,
    "lastSeenAt" TIMESTAMPTZ(3),
    "contentFormat" TEXT COLLATE "C" NOT NULL,
    "url" TEXT COLLATE "C" NOT NULL,
    "title" TEXT COLLATE "C" NOT NULL,
    "tabMetadata" TEXT COLLATE "C" NOT NULL,
    "metadata" TEXT COLLATE "C" NOT NULL,
    "plainText" TEXT COLLATE "C",
    "content" TEXT COLLATE "C" NOT NULL,
    CONSTRAINT "contexts_pkey" PRIMARY KEY ("userId", "contextId")
) WITH (fillfactor = 90);
-- Order of arrival among the user's own.
CREATE UNIQUE INDEX "contexts_userId_seq_key" ON "contexts"("userId", "seq");
-- Covers a page of history and its count, filters included.
CREATE INDEX "contexts_userId_capturedAt_contextId_type_privacyLevel_idx" ON "contexts"("userId", "capturedAt" DESC, "contextId", "type", "privacyLevel");
-- What is current in one tab, or in one browser.
CREATE INDEX "contexts_userId_tabId_capturedAt_idx" ON "contexts"("userId", "tabId", "capturedAt" DESC);
CREATE INDEX "contexts_userId_extensionId_capturedAt_idx" ON "contexts"("userId", "extensionId", "capturedAt" DESC);

-- LZ4 packs several times faster than the default; not every build has it.
DO $$ BEGIN
    ALTER TABLE "contexts" ALTER COLUMN "content" SET COMPRESSION lz4, ALTER COLUMN "plainText" SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;

CREATE TABLE "tombstones" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "contextId" TEXT COLLATE "C" NOT NULL,
    "deletedAt" TIMESTAMPTZ(3) NOT NULL,
    "storedAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "tombstones_pkey" PRIMARY KEY ("userId", "contextId")
);
CREATE INDEX "tombstones_storedAt_idx" ON "tombstones"("storedAt");

CREATE TABLE "processed_messages" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "extensionId" TEXT COLLATE "C" NOT NULL,
    "messageId" TEXT COLLATE "C" NOT NULL,
    "fingerprint" TEXT COLLATE "C" NOT NULL,
    "privacyLevel" TEXT COLLATE "C" NOT NULL,
    "result" TEXT COLLATE "C" NOT NULL,
    "processedAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "processed_messages_pkey" PRIMARY KEY ("userId", "extensionId", "messageId")
);
CREATE INDEX "processed_messages_processedAt_idx" ON "processed_messages"("processedAt");

CREATE TABLE "extensions" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "extensionId" TEXT COLLATE "C" NOT NULL,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL,
    "config" TEXT COLLATE "C",
    "configAt" TIMESTAMPTZ(3),
    CONSTRAINT "extensions_pkey" PRIMARY KEY ("userId", "extensionId")
);

CREATE TABLE "extension_errors" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "seq" BIGINT NOT NULL,
    "extensionId" TEXT COLLATE "C" NOT NULL,
    "code" TEXT COLLATE "C" NOT NULL,
    "message" TEXT COLLATE "C" NOT NULL,
    "details" TEXT COLLATE "C",
    "occurredAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "extension_errors_pkey" PRIMARY KEY ("userId", "seq")
);

-- A user's own privacy rules.
CREATE TABLE "privacy_rules" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL,
    "rules" TEXT COLLATE "C" NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "privacy_rules_pkey" PRIMARY KEY ("userId")
);

-- How far what is stored has been filtered again.
CREATE TABLE "privacy_progress" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "policy" TEXT COLLATE "C" NOT NULL,
    "run" TEXT COLLATE "C" NOT NULL,
    "seq" BIGINT NOT NULL,
    "counts" TEXT COLLATE "C" NOT NULL,
    "finishedAt" TIMESTAMPTZ(3),
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "privacy_progress_pkey" PRIMARY KEY ("userId")
);
