import type { AccessService } from "./access.service.js";
import { allScopes } from "./scope.js";

/** The key that a fresh installation starts with. */
export interface FirstKey {
  userId: string;
  key: string;
}

/** Makes a user and a key with every scope, both or neither, when there are no users yet; null when there are. */
export async function createFirstKey(access: AccessService): Promise<FirstKey | null> {
  if (await access.hasUsers()) return null;
  const { key, record } = await access.createKey({ name: "first key", scopes: allScopes });
  return { userId: record.userId, key };
}
