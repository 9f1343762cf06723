import { contextColumns, millis, writtenColumns } from "./context-columns.js";
import type { Statement } from "./pool.js";

export const readProgress: Statement = {
  name: "read_progress",
  text: `SELECT policy, run, seq::float8 AS seq, counts, ${millis("finishedAt")} FROM privacy_progress WHERE "userId" = $1`,
};

export const readArrivals: Statement = {
  name: "read_arrivals",
  text: `SELECT seq::float8 AS seq FROM contexts WHERE "userId" = $1 AND seq > $2::bigint ORDER BY contexts.seq`,
};

export const readArrived: Statement = {
  name: "read_arrived",
  text: `SELECT ${contextColumns}, "plainText" FROM contexts WHERE "userId" = $1 AND seq = $2::bigint`,
};

export const readConfigs: Statement = {
  name: "read_configs",
  text: `SELECT "extensionId", config FROM extensions WHERE "userId" = $1 AND "extensionId" > $2 AND config IS NOT NULL
    ORDER BY "extensionId" LIMIT $3::bigint`,
};

export const readErrors: Statement = {
  name: "read_errors",
  text: `SELECT seq::float8 AS seq, code, message, details FROM extension_errors WHERE "userId" = $1 AND seq > $2::bigint
    ORDER BY extension_errors.seq LIMIT $3::bigint`,
};

export const readFingerprints: Statement = {
  name: "read_fingerprints",
  text: `SELECT "extensionId", "messageId", fingerprint FROM processed_messages
    WHERE "userId" = $1 AND ("extensionId", "messageId") > ($2, $3) ORDER BY "extensionId", "messageId" LIMIT $4::bigint`,
};

const refiltered = ["privacyLevel", "contentFormat", "url", "title", "tabMetadata", "metadata", "plainText", "content"];

/** What the filter decides on. */
export const refilteredColumns = writtenColumns.filter(({ name }) => refiltered.includes(name));

export const refilterContext: Statement = {
  name: "refilter_context",
  text: `UPDATE contexts SET ${refilteredColumns
    .map(({ name, sentAs, made = (sent: string) => sent }, index) => `"${name}" = ${made(`$${index + 3}::${sentAs.replace("[]", "")}`)}`)
    .join(", ")} WHERE "userId" = $1 AND seq = $2::bigint`,
};

export const replaceConfig: Statement = {
  name: "replace_config",
  text: `UPDATE extensions SET config = $3 WHERE "userId" = $1 AND "extensionId" = $2`,
};

export const replaceError: Statement = {
  name: "replace_error",
  text: `UPDATE extension_errors SET code = $3, message = $4, details = $5 WHERE "userId" = $1 AND seq = $2::bigint`,
};

export const replaceFingerprint: Statement = {
  name: "replace_fingerprint",
  text: `UPDATE processed_messages SET fingerprint = $4 WHERE "userId" = $1 AND "extensionId" = $2 AND "messageId" = $3`,
};

/** Without effect when the user is gone. */
export const saveProgress: Statement = {
  name: "save_progress",
  text: `INSERT INTO privacy_progress ("userId", policy, run, seq, counts, "finishedAt", "updatedAt")
    SELECT "userId", $2, $3, $4::bigint, $5, to_timestamp($6::float8 / 1000), to_timestamp($7::float8 / 1000) FROM users WHERE "userId" = $1
    ON CONFLICT ("userId") DO UPDATE SET policy = excluded.policy, run = excluded.run, seq = excluded.seq, counts = excluded.counts,
      "finishedAt" = excluded."finishedAt", "updatedAt" = excluded."updatedAt"`,
};

/** Whatever is written under a policy, `$2`, has not passed any other. */
export const forgetProgress: Statement = {
  name: "forget_progress",
  text: `DELETE FROM privacy_progress WHERE "userId" = $1 AND policy <> $2`,
};
