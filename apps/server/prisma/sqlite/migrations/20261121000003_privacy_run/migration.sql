-- Progress as it was noted before did not know of text that was stored under another policy meanwhile: it begins anew.
DROP TABLE "privacy_progress";

CREATE TABLE "privacy_progress" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "policy" TEXT NOT NULL,
    "run" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "counts" TEXT NOT NULL,
    "finishedAt" DATETIME,
    "updatedAt" DATETIME NOT NULL
) WITHOUT ROWID;
