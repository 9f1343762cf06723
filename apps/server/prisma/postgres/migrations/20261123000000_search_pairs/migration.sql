-- Which words of a context may follow each other, in a few hundred bytes. It stands with the terms: a walk has read their row already. Null in
-- rows from before this, and of contexts with too many different words; so that no row is rewritten here.
ALTER TABLE "search_terms" ADD COLUMN "pairs" BYTEA;
-- Nothing in it can be packed, and there is nothing to choose by its samples.
ALTER TABLE "search_terms" ALTER COLUMN "pairs" SET STORAGE PLAIN, ALTER COLUMN "pairs" SET STATISTICS 0;
