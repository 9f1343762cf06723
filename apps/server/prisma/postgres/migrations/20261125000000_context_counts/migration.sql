-- How many contexts a user has of each type and level, so that a page of history need not count them. A user with many is counted when
-- history is first asked for, and has a row for every type and level from then on, which every writer keeps.
CREATE TABLE "context_counts" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "type" TEXT COLLATE "C" NOT NULL,
    "privacyLevel" TEXT COLLATE "C" NOT NULL,
    "contexts" BIGINT NOT NULL,
    -- When all were counted.
    "countedAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "context_counts_pkey" PRIMARY KEY ("userId", "type", "privacyLevel")
) WITH (fillfactor = 50);
