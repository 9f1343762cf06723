-- A user's own privacy rules.
CREATE TABLE "privacy_rules" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "version" INTEGER NOT NULL,
    "rules" TEXT NOT NULL,
    "updatedAt" DATETIME NOT NULL
) WITHOUT ROWID;

-- How far what is stored has been filtered again.
CREATE TABLE "privacy_progress" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "policy" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "counts" TEXT NOT NULL,
    "finishedAt" DATETIME,
    "updatedAt" DATETIME NOT NULL
) WITHOUT ROWID;
