import * as z from "zod/mini";

/** How much of a context is kept, in rising order of strictness: `public < private < filtered < restricted`. */
export const PrivacyLevel = z.enum(["public", "private", "filtered", "restricted"]);
export type PrivacyLevel = z.infer<typeof PrivacyLevel>;

/** Counts of what the privacy filter removed, per kind, such as `{"email": 2}`; never a matched value. */
export const Redactions = z.record(z.string(), z.int().check(z.minimum(0)));
export type Redactions = z.infer<typeof Redactions>;
