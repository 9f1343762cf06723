-- Text is compared byte by byte, as in the embedded engine: faster than by any language, and the same on every machine.
-- Every key of what grows starts with the user. No foreign keys, no triggers: users can be spread over machines.

CREATE TABLE "users" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    -- Counts the writes to the user's data, for optimistic locking. Starts at the time of creation, so that it never repeats.
    "revision" BIGINT NOT NULL,
    "agentUsedAt" TIMESTAMPTZ(3),
    "apiUsedAt" TIMESTAMPTZ(3),
    CONSTRAINT "users_pkey" PRIMARY KEY ("userId")
) WITH (fillfactor = 50);

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

-- When keys were last used; "lastUsedAt" of the key itself stays empty. In a cluster every machine has all keys, so that a change of one
-- waits for all machines: what is written while requests go on is kept with the user.
CREATE TABLE "key_uses" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "keyId" TEXT COLLATE "C" NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "key_uses_pkey" PRIMARY KEY ("userId", "keyId")
) WITH (fillfactor = 50);

-- Room in every page, so that a heartbeat changes its row in the same page.
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
    "viewedAt" TIMESTAMPTZ(3),
    "lastSeenAt" TIMESTAMPTZ(3),
    "contentFormat" TEXT COLLATE "C" NOT NULL,
    "url" TEXT COLLATE "C" NOT NULL,
    "title" TEXT COLLATE "C" NOT NULL,
    "tabMetadata" TEXT COLLATE "C" NOT NULL,
    "metadata" TEXT COLLATE "C" NOT NULL,
    "levelReasons" TEXT COLLATE "C" NOT NULL,
    "lastReadAt" TIMESTAMPTZ(3),
    "lastReadKeyId" TEXT COLLATE "C",
    "plainText" TEXT COLLATE "C",
    "content" TEXT COLLATE "C" NOT NULL,
    CONSTRAINT "contexts_pkey" PRIMARY KEY ("userId", "contextId")
) WITH (fillfactor = 90);
-- Order of arrival among the user's own.
CREATE UNIQUE INDEX "contexts_userId_seq_key" ON "contexts"("userId", "seq");
-- Covers a page of history and its count, filters included.
CREATE INDEX "contexts_userId_capturedAt_contextId_type_privacyLevel_idx" ON "contexts"("userId", "capturedAt", "contextId" DESC, "type", "privacyLevel");
-- What is current, of each level by itself: viewed last, or captured last where nothing is viewed. Also in one tab or one browser.
CREATE INDEX "contexts_userId_privacyLevel_viewedAt_capturedAt_idx" ON "contexts"("userId", "privacyLevel", "viewedAt", "capturedAt");
CREATE INDEX "contexts_userId_tabId_privacyLevel_viewedAt_capturedAt_idx" ON "contexts"("userId", "tabId", "privacyLevel", "viewedAt", "capturedAt");
CREATE INDEX "contexts_userId_extensionId_privacyLevel_viewedAt_capturedA_idx" ON "contexts"("userId", "extensionId", "privacyLevel", "viewedAt", "capturedAt");
-- Whether any user has a context of an id. Sorted, not hashed: senders choose ids, and one that every user has would make one long bucket.
CREATE INDEX "contexts_contextId_idx" ON "contexts"("contextId");

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
    "keyId" TEXT COLLATE "C",
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

-- How long a user's contexts are kept.
CREATE TABLE "retention_rules" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "rules" TEXT COLLATE "C" NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "retention_rules_pkey" PRIMARY KEY ("userId")
);

-- How far a user's stored data has been filtered again.
CREATE TABLE "privacy_progress" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "policy" TEXT COLLATE "C" NOT NULL,
    "run" TEXT COLLATE "C" NOT NULL,
    "checkedTo" TEXT COLLATE "C" NOT NULL,
    "counts" TEXT COLLATE "C" NOT NULL,
    "finishedAt" TIMESTAMPTZ(3),
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "privacy_progress_pkey" PRIMARY KEY ("userId")
);

-- How many requests of each kind came with a key on a day.
CREATE TABLE "usage_by_day" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "day" INTEGER NOT NULL,
    "keyId" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "requests" INTEGER NOT NULL,
    "refused" INTEGER NOT NULL,
    CONSTRAINT "usage_by_day_pkey" PRIMARY KEY ("userId", "day", "keyId", "kind")
);
CREATE INDEX "usage_by_day_day_idx" ON "usage_by_day"("day");

-- People's accounts in the portal, as better-auth keeps them.
CREATE TABLE "auth_users" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C" NOT NULL,
    "emailVerified" BOOLEAN NOT NULL,
    "image" TEXT COLLATE "C",
    "isOwner" BOOLEAN NOT NULL,
    "disabledAt" TIMESTAMPTZ(3),
    "lastSignInAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "auth_users_pkey" PRIMARY KEY ("userId")
);
CREATE UNIQUE INDEX "auth_users_email_key" ON "auth_users"("email");

CREATE TABLE "auth_sessions" (
    "id" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "token" TEXT COLLATE "C" NOT NULL,
    "ipAddress" TEXT COLLATE "C",
    "userAgent" TEXT COLLATE "C",
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "auth_sessions_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "auth_sessions_token_key" ON "auth_sessions"("token");
CREATE INDEX "auth_sessions_userId_idx" ON "auth_sessions"("userId");

CREATE TABLE "auth_accounts" (
    "id" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "providerId" TEXT COLLATE "C" NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "password" TEXT COLLATE "C",
    "accessToken" TEXT COLLATE "C",
    "refreshToken" TEXT COLLATE "C",
    "idToken" TEXT COLLATE "C",
    "accessTokenExpiresAt" TIMESTAMPTZ(3),
    "refreshTokenExpiresAt" TIMESTAMPTZ(3),
    "scope" TEXT COLLATE "C",
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "auth_accounts_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "auth_accounts_userId_idx" ON "auth_accounts"("userId");

CREATE TABLE "auth_passkeys" (
    "id" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C",
    "publicKey" TEXT COLLATE "C" NOT NULL,
    "credentialID" TEXT COLLATE "C" NOT NULL,
    "counter" INTEGER NOT NULL,
    "deviceType" TEXT COLLATE "C" NOT NULL,
    "backedUp" BOOLEAN NOT NULL,
    "transports" TEXT COLLATE "C",
    "aaguid" TEXT COLLATE "C",
    "createdAt" TIMESTAMPTZ(3),
    CONSTRAINT "auth_passkeys_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "auth_passkeys_userId_idx" ON "auth_passkeys"("userId");
CREATE INDEX "auth_passkeys_credentialID_idx" ON "auth_passkeys"("credentialID");

CREATE TABLE "auth_verifications" (
    "id" TEXT COLLATE "C" NOT NULL,
    "identifier" TEXT COLLATE "C" NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "auth_verifications_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "auth_verifications_identifier_idx" ON "auth_verifications"("identifier");

-- Programs that people let in, and their codes and tokens.
CREATE TABLE "auth_clients" (
    "clientId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "redirectUris" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "auth_clients_pkey" PRIMARY KEY ("clientId")
);

CREATE TABLE "auth_tokens" (
    "tokenId" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "keyId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C" NOT NULL,
    "redirectUri" TEXT COLLATE "C",
    "challenge" TEXT COLLATE "C",
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),
    CONSTRAINT "auth_tokens_pkey" PRIMARY KEY ("tokenId")
);
CREATE INDEX "auth_tokens_userId_idx" ON "auth_tokens"("userId");
CREATE INDEX "auth_tokens_clientId_idx" ON "auth_tokens"("clientId");

-- What signs the cookies of sessions.
CREATE TABLE "auth_secrets" (
    "name" TEXT COLLATE "C" NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "auth_secrets_pkey" PRIMARY KEY ("name")
);

-- Tokens that make one account each.
CREATE TABLE "invites" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "isOwner" BOOLEAN NOT NULL,
    "note" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "invites_pkey" PRIMARY KEY ("hash")
);

-- Requests of a user, or of a client without a key, in the current minute, over all processes. Not logged: a crash starts it again.
CREATE UNLOGGED TABLE "rate_windows" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "budget" TEXT COLLATE "C" NOT NULL,
    "window" BIGINT NOT NULL,
    "used" BIGINT NOT NULL,
    -- The database's clock at the last request, in milliseconds since the epoch.
    "at" DOUBLE PRECISION NOT NULL,
    CONSTRAINT "rate_windows_pkey" PRIMARY KEY ("userId", "budget")
) WITH (fillfactor = 50);

-- Changes of contexts, kept for 15 minutes for the live channel. They name contexts and hold no text of them.
CREATE TABLE "live_changes" (
    "userId" TEXT COLLATE "C" NOT NULL,
    -- Of the user's data after the write that made the change.
    "revision" BIGINT NOT NULL,
    "place" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "contextId" TEXT COLLATE "C" NOT NULL,
    -- Of deleted contexts.
    "type" TEXT,
    "tabId" TEXT,
    "extensionId" TEXT,
    "privacyLevel" TEXT,
    -- The server's clock.
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "live_changes_pkey" PRIMARY KEY ("userId", "revision", "place")
);
CREATE INDEX "live_changes_at_idx" ON "live_changes"("at");

-- Tickets that open one connection to the live channel. Not logged: a crash costs a client one more request.
CREATE UNLOGGED TABLE "live_tickets" (
    "userId" TEXT COLLATE "C" NOT NULL,
    -- SHA-256 of the ticket, hex.
    "hash" TEXT COLLATE "C" NOT NULL,
    "keyId" TEXT COLLATE "C" NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "live_tickets_pkey" PRIMARY KEY ("userId", "hash")
);

-- The search index, written with each context. Each lexeme begins with what names its user, so that a user's postings are together.
CREATE TABLE "search_terms" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "seq" BIGINT NOT NULL,
    "capturedAt" TIMESTAMPTZ(3) NOT NULL,
    -- In small letters.
    "url" TEXT COLLATE "C" NOT NULL,
    "terms" TSVECTOR NOT NULL,
    -- Packed terms for ranking.
    "stored" BYTEA NOT NULL
) WITH (toast_tuple_target = 128);
-- Rows are read in great numbers, for the columns before the terms. The terms hardly pack, and unpacking them costs more than reading them.
ALTER TABLE "search_terms"
    ALTER COLUMN "userId" SET STORAGE MAIN, ALTER COLUMN "url" SET STORAGE MAIN,
    ALTER COLUMN "terms" SET STORAGE EXTERNAL, ALTER COLUMN "stored" SET STORAGE EXTERNAL,
    -- Samples would be costly to take, and there is nothing to choose by them.
    ALTER COLUMN "terms" SET STATISTICS 0, ALTER COLUMN "stored" SET STATISTICS 0;
-- A cluster that moves users from one machine to another copies rows, and needs to tell them apart.
ALTER TABLE "search_terms" REPLICA IDENTITY FULL;
-- Every search reads what is not sorted in yet, so that this must be little.
CREATE INDEX "search_terms_terms_idx" ON "search_terms" USING GIN ("terms") WITH (gin_pending_list_limit = 512);
-- The row's number first: an index that begins with the user would tempt the planner to read all rows of the user.
CREATE INDEX "search_terms_seq_userId_idx" ON "search_terms"("seq", "userId");

-- LZ4 packs several times faster than the default; not every build has it.
DO $$ BEGIN
    ALTER TABLE "contexts" ALTER COLUMN "content" SET COMPRESSION lz4, ALTER COLUMN "plainText" SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;
