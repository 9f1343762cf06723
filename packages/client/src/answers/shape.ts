/**
 * What an answer must look like, in a form that weighs next to nothing in a bundle. Made from the schemas of `@periscope/schemas`:
 *
 * - `"any"`, `"boolean"`, `"string"`, `"time"`
 * - `["matches", expression]`: a string
 * - `["number" | "integer", least?, most?]`
 * - `["one", …values]`: one of these strings, numbers, booleans or null
 * - `["list", shape]`, `["record", shape]`, `["either", …shapes]`
 * - `{ field: shape, "optional?": shape }`: an object; further fields are allowed
 */
export type Shape =
  | "any"
  | "boolean"
  | "string"
  | "time"
  | readonly ["matches", string]
  | readonly ["number" | "integer", (number | null)?, (number | null)?]
  | readonly ["one", ...(string | number | boolean | null)[]]
  | readonly ["list" | "record", Shape]
  | readonly ["either", ...Shape[]]
  | { readonly [field: string]: Shape };
