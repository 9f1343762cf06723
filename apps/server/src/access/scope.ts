import { z } from "zod";

/** What a key may do: `read` every GET, `write` syncing, `delete` removal; replacing the privacy rules takes both of the first. */
export const Scope = z.enum(["read", "write", "delete"]);
export type Scope = z.infer<typeof Scope>;

export const allScopes: readonly Scope[] = Scope.options;
