import type { PrivacyLevel } from "@periscope/schemas";
import type { Scope } from "./scope.js";

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

/** Users and their API keys. */
export interface AccessStore {
  /** False when the user is there already. */
  createUser(userId: string, at: number): Promise<boolean>;
  listUsers(): Promise<UserRecord[]>;
  /** Removes the user and everything that is theirs; false when there is no such user. */
  deleteUser(userId: string): Promise<boolean>;
  /** Makes the key, and its user when missing, together. */
  createKey(key: KeyRecord): Promise<void>;
  /** The same where nobody is yet; false where anybody is. Of several processes that try at once, one makes its key. */
  createFirstKey(key: KeyRecord): Promise<boolean>;
  findKey(keyId: string): Promise<KeyRecord | null>;
  listKeys(userId?: string): Promise<KeyRecord[]>;
  /** False when there is no such key; revoking twice keeps the first time. */
  revokeKey(keyId: string, at: number): Promise<boolean>;
  /** Notes that the key was used. */
  touchKey(key: Pick<KeyRecord, "keyId" | "userId">, at: number): Promise<void>;
}
