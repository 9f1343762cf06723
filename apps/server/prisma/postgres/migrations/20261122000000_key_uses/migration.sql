-- When keys were last used; "lastUsedAt" of the key itself is of before. In a cluster every machine has all keys, so that a change
-- of one waits for all machines: what is written while requests go on is kept with the user.
CREATE TABLE "key_uses" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "keyId" TEXT COLLATE "C" NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "key_uses_pkey" PRIMARY KEY ("userId", "keyId")
) WITH (fillfactor = 50);
