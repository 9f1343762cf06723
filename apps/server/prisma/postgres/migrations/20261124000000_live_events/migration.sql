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
