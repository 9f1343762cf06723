import type { AccessService } from "./access.service.js";
import { allScopes } from "./scope.js";

/** The key that a fresh installation starts with. */
export interface FirstKey {
  userId: string;
  key: string;
}

/** Makes a user and a key with every scope, both or neither, when there are no users yet; null when there are, or when another process has just made them. */
export async function createFirstKey(access: AccessService): Promise<FirstKey | null> {
  const made = await access.createFirstKey({ name: "first key", scopes: allScopes });
  return made && { userId: made.record.userId, key: made.key };
}
