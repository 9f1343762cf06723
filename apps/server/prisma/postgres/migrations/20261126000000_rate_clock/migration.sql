-- When a part of the budget was taken last, by the database's clock, in milliseconds since the epoch. A statement of the version before does
-- not fill it.
ALTER TABLE "rate_windows" ADD COLUMN "at" DOUBLE PRECISION NOT NULL DEFAULT 0;
