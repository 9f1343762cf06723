-- The user beside the words in one index, so that a search walks that user's rows only.
CREATE EXTENSION IF NOT EXISTS "btree_gin";

-- The words of a context as they are compared, with their places: title A, url B, content C, metadata D. The service writes them with the row.
ALTER TABLE "contexts" ADD COLUMN "words" TSVECTOR NOT NULL DEFAULT '';
CREATE INDEX "contexts_userId_words_idx" ON "contexts" USING GIN ("userId", "words");
