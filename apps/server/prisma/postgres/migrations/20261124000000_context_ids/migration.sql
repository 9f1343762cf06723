-- outside a transaction
-- Whether any user has a context of an id. Sorted, not hashed: senders choose ids, and one that every user has would make one long bucket.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contexts_contextId_idx" ON "contexts"("contextId");
