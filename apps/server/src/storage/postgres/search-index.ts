import type { WrittenContext } from "../../contexts/sync.store.js";
import { searchDocument } from "../../search/search-document.js";
import { binaryArray } from "./binary-array.js";
import type { Statement } from "./pool.js";
import { ownerPrefix, placeLexemes, rowQuery, vectorText } from "./search-lexemes.js";

const removeTerms: Statement = {
  name: "remove_terms",
  text: `DELETE FROM search_terms t USING contexts c WHERE c."userId" = $1 AND c."contextId" = ANY ($2::text[])
    AND t."userId" = $1 AND t.seq = c.seq AND t.terms::tsvector @@ ${rowQuery("c.seq", "$3::text")}`,
};

const removeVectors: Statement = {
  name: "remove_vectors",
  text: `DELETE FROM search_vectors v USING contexts c WHERE c."userId" = $1 AND c."contextId" = ANY ($2::text[])
    AND v."userId" = $1 AND v.seq = c.seq`,
};

const addTerms: Statement = {
  name: "add_terms",
  text: `INSERT INTO search_terms ("userId", seq, "capturedAt", url, terms, pairs)
    SELECT c."userId", c.seq, c."capturedAt", r.url, r.terms || ${placeLexemes("c.seq", "$5::text")}, r.pairs
    FROM unnest($2::text[], $3::text[], $4::text[], $6::bytea[]) AS r("contextId", url, terms, pairs)
    JOIN contexts c ON c."userId" = $1 AND c."contextId" = r."contextId"`,
};

const addVectors: Statement = {
  name: "add_vectors",
  text: `INSERT INTO search_vectors ("userId", seq, "contextId", "capturedAt", vector)
    SELECT c."userId", c.seq, c."contextId", c."capturedAt", r.vector FROM unnest($2::text[], $3::bytea[]) AS r("contextId", vector)
    JOIN contexts c ON c."userId" = $1 AND c."contextId" = r."contextId"`,
};

/** A statement with its values, the user first among them. */
export type IndexWrite = readonly [statement: Statement, values: readonly unknown[]];

/** What takes contexts of a user out of the index; to be run while they are there. */
export function removals(userId: string, contextIds: readonly string[]): IndexWrite[] {
  if (contextIds.length === 0) return [];
  return [
    [removeTerms, [userId, contextIds, ownerPrefix(userId)]],
    [removeVectors, [userId, contextIds]],
  ];
}

/** What gives contexts of a user their places in the index; to be run once they are written, and none of them has a place. */
export function additions(userId: string, contexts: readonly WrittenContext[]): IndexWrite[] {
  if (contexts.length === 0) return [];
  const prefix = ownerPrefix(userId);
  const documents = contexts.map((context) => context.search ?? searchDocument(context));
  const ids = binaryArray(
    "text[]",
    contexts.map(({ contextId }) => contextId),
  );
  return [
    [
      addTerms,
      [
        userId,
        ids,
        binaryArray(
          "text[]",
          contexts.map(({ url }) => url.toLowerCase()),
        ),
        binaryArray(
          "text[]",
          documents.map(({ terms }) => vectorText(prefix, terms)),
        ),
        prefix,
        binaryArray(
          "bytea[]",
          documents.map(({ pairs }) => pairs),
        ),
      ],
    ],
    [
      addVectors,
      [
        userId,
        ids,
        binaryArray(
          "bytea[]",
          documents.map(({ vector }) => vector),
        ),
      ],
    ],
  ];
}
