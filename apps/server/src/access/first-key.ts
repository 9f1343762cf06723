import type { AccessService } from "./access.service.js";
import { allScopes } from "./scope.js";

/** The key that a fresh installation starts with. */
export interface FirstKey {
  userId: string;
  key: string;
}

/** Makes a user and a key with every scope when there are no users yet; null when there are. */
export async function createFirstKey(access: AccessService): Promise<FirstKey | null> {
  if ((await access.listUsers()).length > 0) return null;
  const { userId } = await access.createUser();
  const { key } = await access.createKey({ userId, name: "first key", scopes: allScopes });
  return { userId, key };
}
