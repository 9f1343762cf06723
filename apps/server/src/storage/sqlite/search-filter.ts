import type { ReadScope } from "../../contexts/context.store.js";
import type { SearchRequest } from "../../search/search.store.js";

/** A condition on `contexts c`, with what its question marks stand for. */
export interface Filter {
  sql: string;
  values: ReadonlyArray<string | number>;
  /** Whether it lets through all that the owner has. */
  ownerOnly: boolean;
}

// In rising order of protection.
const levels = ["public", "private", "filtered", "restricted"] as const;

/** Everything but words and URL that a found context must meet: the owner, what the key may see, and the request's own bounds. */
export function filterOf({ userId, maxPrivacyLevel }: ReadScope, { type, privacyLevel, startTime, endTime }: SearchRequest): Filter {
  const conditions: Array<Pick<Filter, "sql" | "values">> = [{ sql: "c.userId = ?", values: [userId] }];
  const visible = levels.slice(0, levels.indexOf(maxPrivacyLevel) + 1);
  if (visible.length < levels.length) conditions.push({ sql: `c.privacyLevel IN (${visible.map(() => "?").join(", ")})`, values: visible });
  if (privacyLevel !== undefined) conditions.push({ sql: "c.privacyLevel = ?", values: [privacyLevel] });
  if (type !== undefined) conditions.push({ sql: "c.type = ?", values: [type] });
  if (startTime !== undefined) conditions.push({ sql: "c.capturedAt >= ?", values: [startTime] });
  if (endTime !== undefined) conditions.push({ sql: "c.capturedAt < ?", values: [endTime] });
  return {
    sql: conditions.map(({ sql }) => sql).join(" AND "),
    values: conditions.flatMap(({ values }) => values),
    ownerOnly: conditions.length === 1,
  };
}
