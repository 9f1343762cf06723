-- What all processes have given out of a user's budgets in the current minute. Not logged: after a crash it starts from nothing.
CREATE UNLOGGED TABLE "rate_windows" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "budget" TEXT COLLATE "C" NOT NULL,
    "window" BIGINT NOT NULL,
    "taken" BIGINT NOT NULL,
    "granted" BIGINT NOT NULL,
    CONSTRAINT "rate_windows_pkey" PRIMARY KEY ("userId", "budget")
) WITH (fillfactor = 50);
