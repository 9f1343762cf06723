import { privacyLevels } from "@periscope/privacy";
import { type PrivacyLevel, Scope } from "@periscope/schemas";

export { Scope };

export const allScopes: readonly Scope[] = Scope.options;

/** Bounds every read: the user whose contexts are meant, and the highest privacy level the key may see. */
export interface ReadBounds {
  userId: string;
  maxPrivacyLevel: PrivacyLevel;
}

/** The levels that a key of this bound may see. */
export function levelsUpTo(bound: PrivacyLevel): PrivacyLevel[] {
  return privacyLevels.slice(0, privacyLevels.indexOf(bound) + 1);
}

/** A user as listed. Times are milliseconds since the epoch. */
export interface UserRecord {
  userId: string;
  createdAt: number;
}

/** An API key without its secret. */
export interface KeyRecord {
  keyId: string;
  userId: string;
  name: string;
  /** SHA-256 of the whole key, hex. */
  hash: string;
  scopes: readonly Scope[];
  /** Contexts above this level do not exist for this key. */
  maxPrivacyLevel: PrivacyLevel;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  revokedAt: number | null;
}

export interface DeleteUserOptions {
  /** Called with how many contexts are deleted so far. Throwing ends the deletion between two slices; it can be repeated. */
  onDeleted?: ((contexts: number) => void) | undefined;
}

/** What a user's keys have been used for so far. */
export interface KeyUses {
  /** An agent has called a tool over MCP. */
  agent: boolean;
  /** A program has read over the REST interface. */
  api: boolean;
}

export interface AccessStore {
  /** False when the user exists already. */
  createUser(userId: string, at: number): Promise<boolean>;
  hasUser(userId: string): Promise<boolean>;
  listUsers(): Promise<UserRecord[]>;
  /**
   * Deletes the user and all their data, in slices; false when there is no such user. Keys work until everything else is gone, so that a
   * request with one of them can be repeated.
   */
  deleteUser(userId: string, how?: DeleteUserOptions): Promise<boolean>;
  /**
   * Creates the key, and with `makesUser` its user when missing, in one transaction. Without effect when there is a key of this id
   * (`exists`), no such user (`gone`), or the user has `validMax` valid keys (`full`).
   */
  createKey(key: KeyRecord, how?: { validMax?: number; makesUser?: boolean | undefined }): Promise<"created" | "exists" | "gone" | "full">;
  /** The same if there are no users yet; else false. Exactly one of several processes that try at once succeeds. */
  createFirstKey(key: KeyRecord): Promise<boolean>;
  /** @param turnOf in whose turn a queue asks; the key's own by default */
  findKey(keyId: string, turnOf?: string): Promise<KeyRecord | null>;
  /** The key that an access token stands for, with the hash of the token, and valid no longer than the token. */
  findKeyOfToken(tokenId: string, turnOf?: string): Promise<KeyRecord | null>;
  /** Those of the keys that are neither revoked nor expired. */
  validKeys(keyIds: readonly string[], now: number): Promise<Set<string>>;
  listKeys(userId?: string): Promise<KeyRecord[]>;
  /** False when there is no such key; revoking twice keeps the first time. */
  revokeKey(keyId: string, at: number): Promise<boolean>;
  touchKey(key: Pick<KeyRecord, "keyId" | "userId">, at: number): Promise<void>;
  /** Stores that the user's keys were used for this, unless it is stored already. */
  noteUse(userId: string, use: keyof KeyUses, at: number): Promise<void>;
  findUses(userId: string): Promise<KeyUses>;
}
