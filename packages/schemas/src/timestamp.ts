import * as z from "zod/mini";

/**
 * A point in time: RFC 3339 / ISO 8601 with an offset, such as `2026-01-31T12:34:56.789Z` or `2026-01-31T13:34:56+01:00`.
 * The server answers in UTC with millisecond precision.
 */
export const Timestamp = z.iso.datetime({ offset: true, error: "must be an ISO 8601 time with an offset, such as 2026-01-31T12:34:56.789Z" });
export type Timestamp = z.infer<typeof Timestamp>;
