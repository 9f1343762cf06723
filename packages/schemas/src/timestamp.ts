import * as z from "zod/mini";

const earliest = Date.parse("0000-01-01T00:00:00Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * A point in time: RFC 3339 / ISO 8601 with an offset, such as `2026-01-31T12:34:56.789Z` or `2026-01-31T13:34:56+01:00`.
 * The server answers in UTC with millisecond precision.
 */
export const Timestamp = z.iso
  .datetime({
    offset: true,
    error: ({ input }) => (input === undefined ? "required" : "must be an ISO 8601 time with an offset, such as 2026-01-31T12:34:56.789Z"),
  })
  // An offset can carry a time out of the four-digit years, and then its UTC form is no ISO 8601 time of this kind.
  .check(
    z.refine((text) => {
      const millis = Date.parse(text);
      return !(millis < earliest || millis > latest);
    }, "must be in the years 0000 to 9999 of UTC"),
  );
export type Timestamp = z.infer<typeof Timestamp>;
