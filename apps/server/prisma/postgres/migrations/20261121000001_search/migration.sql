-- The search index. The service writes it with each context: what is searched of it as terms, and what ranking needs as a vector.
-- Rows of both tables have the number that the context has in its user's order of arrival.

-- Terms stand as text of a tsvector, each after what names its user, so that all of a user's stand together in the index; the text
-- packs to a third of the tsvector that the index makes of it. No other index here: it could tempt the planner to read every row.
CREATE TABLE "search_terms" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "seq" BIGINT NOT NULL,
    "capturedAt" TIMESTAMPTZ(3) NOT NULL,
    -- In small letters.
    "url" TEXT COLLATE "C" NOT NULL,
    "terms" TEXT COLLATE "C" NOT NULL
) WITH (toast_tuple_target = 256);
-- The terms lie beside the rows, which are read in great numbers.
ALTER TABLE "search_terms" ALTER COLUMN "userId" SET STORAGE MAIN, ALTER COLUMN "url" SET STORAGE MAIN, ALTER COLUMN "terms" SET STATISTICS 0;
-- For those who copy the database row by row, such as a cluster that moves users from one machine to another.
ALTER TABLE "search_terms" REPLICA IDENTITY FULL;
-- Every search reads what is not sorted in yet, so that this must be little.
CREATE INDEX "search_terms_terms_idx" ON "search_terms" USING GIN (("terms"::tsvector)) WITH (gin_pending_list_limit = 512);
-- Samples would be costly to take, and there is nothing to choose by them.
ALTER INDEX "search_terms_terms_idx" ALTER COLUMN 1 SET STATISTICS 0;

CREATE TABLE "search_vectors" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "seq" BIGINT NOT NULL,
    "contextId" TEXT COLLATE "C" NOT NULL,
    "capturedAt" TIMESTAMPTZ(3) NOT NULL,
    "vector" BYTEA NOT NULL,
    CONSTRAINT "search_vectors_pkey" PRIMARY KEY ("userId", "seq")
);
-- Packed by the service already.
ALTER TABLE "search_vectors" ALTER COLUMN "vector" SET STORAGE EXTERNAL;
