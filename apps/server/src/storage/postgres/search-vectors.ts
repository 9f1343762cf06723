import { headerAt, partBytes, partsAt, vectorPartOf, vectorVersions } from "../../search/analysis/term-vector.js";
import { millis } from "./context-columns.js";
import type { Statement } from "./pool.js";

// What a search reads of vectors. A vector has 2 to 3 KB, of which a word needs a hundredth: the rest is not worth its way to here.

/** Parts past which the whole vector is read: cutting them out costs more then. */
const cutPartsMax = 8;

/** A vector of up to 8 KB is in its row, less what else is there; a longer one would be fetched whole for each byte that is asked of it. */
const cutBytesMax = 7_000;

/** SQL of where the part that begins at the directory's byte `at` begins, both counted from 0. */
const beginOf = (vector: string, at: string): string =>
  `((get_byte(${vector}, ${at}) << 16) | (get_byte(${vector}, ${at} + 1) << 8) | get_byte(${vector}, ${at} + 2))`;

/** SQL of the bytes from one place on and before another. */
const cut = (vector: string, from: string, to: string): string => `substring(${vector} from ${from} + 1 for ${to} - ${from})`;

/** SQL of the header and of some parts; where these begin in the directory stands in the list `$parameter`. */
function someOf(vector: string, parts: number, parameter: number): string {
  const header = cut(vector, String(headerAt), beginOf(vector, String(partsAt)));
  const part = (index: number): string => {
    const at = `($${parameter}::int[])[${index + 1}]`;
    return cut(vector, beginOf(vector, at), beginOf(vector, `${at} + ${partBytes}`));
  };
  const mark = `'\\x0${vectorVersions.someParts}'::bytea`;
  return [mark, header, ...Array.from({ length: parts }, (_, index) => part(index))].join(" || ");
}

/** SQL of a column `vector` with what is wanted of a table's vector. The driver reads every value as text, and this is its shortest. */
export function vectorColumn(vector: string, parts = 0, parameter = 0): string {
  const isCut = `octet_length(${vector}) <= ${cutBytesMax} AND substring(${vector} from 1 for 1) = '\\x0${vectorVersions.parts}'`;
  return `encode(CASE WHEN ${isCut} THEN ${someOf(vector, parts, parameter)} ELSE ${vector} END, 'base64') AS vector`;
}

/** The statement that reads what ranking by these words needs, and the values that follow the user and the rows. */
export function candidatesOf(hashes: readonly number[] | "all"): { statement: Statement; values: unknown[] } {
  const parts = hashes === "all" ? undefined : [...new Set(hashes.map(vectorPartOf))];
  if (parts === undefined || parts.length > cutPartsMax)
    return { statement: readCandidates("search_candidates", "encode(v.vector, 'base64') AS vector"), values: [] };
  return {
    statement: readCandidates(`search_candidates_${parts.length}_parts`, vectorColumn("v.vector", parts.length, 3)),
    values: parts.length === 0 ? [] : [parts.map((part) => partsAt + part * partBytes)],
  };
}

const readCandidates = (name: string, vector: string): Statement => ({
  name,
  text: `SELECT v.seq::float8 AS row, v."contextId", ${millis("capturedAt")}, ${vector}
    FROM search_vectors v WHERE v."userId" = $1 AND v.seq = ANY ($2::bigint[])`,
});
