import { type PrivacyLevel, UserId } from "@periscope/schemas";
import { badParameter, badRequest, notFound } from "../domain-error.js";
import { type AccessStore, allScopes, type KeyRecord, type Scope, type UserRecord } from "./access.store.js";
import { createAuthenticator, hashApiKey, newApiKey, type Principal, type RandomBytes } from "./authenticator.js";

export type { Principal };

/** A key as it may be shown: without its hash. */
export type KeyInfo = Omit<KeyRecord, "hash">;

export interface NewKey {
  /** Without it, a new user is made. */
  userId?: string | undefined;
  /** At most 128 characters. Default: empty. */
  name?: string | undefined;
  scopes: readonly Scope[];
  /** Milliseconds from now; without it and without `expiresAt` the key never expires. */
  expiresInMs?: number | undefined;
  /** Milliseconds since the epoch, in the future. */
  expiresAt?: number | undefined;
  /** Contexts above this level do not exist for the key. Default `restricted`: it sees all. */
  maxPrivacyLevel?: PrivacyLevel | undefined;
}

export interface AccessOptions {
  store: AccessStore;
  /** Milliseconds since the epoch. */
  clock: () => number;
  newUlid: () => string;
  randomBytes: RandomBytes;
  /** Called when the time of a key's last use could not be written; no request fails with it. */
  onTouchFailed?: (error: unknown) => void;
}

/** A new key, and its record. */
interface CreatedKey {
  key: string;
  record: KeyInfo;
}

/** The key that a fresh installation starts with. */
export interface FirstKey {
  userId: string;
  key: string;
}

/** Manages users and API keys, and authenticates requests. */
export interface AccessService {
  /**
   * The principal of an `Authorization` header; null when the header is missing or malformed, or its key is unknown, revoked or expired.
   * Rejects only when the store does.
   */
  authenticate(authorization: string | undefined): Promise<Principal | null>;
  /** Creates a user, with a new id when none is given. Throws `bad_request` when the id is malformed or taken. */
  createUser(userId?: string): Promise<UserRecord>;
  listUsers(): Promise<UserRecord[]>;
  /** Removes a user, their keys and everything that is theirs. Throws `not_found`. */
  deleteUser(userId: string): Promise<void>;
  /** Creates a key, and its user when missing, in one transaction. The key itself is shown here and never again. Throws `bad_request`. */
  createKey(wanted: NewKey): Promise<CreatedKey>;
  /** Creates a user and a key with every scope if there are no users yet; else null. Exactly one of several processes succeeds. */
  createFirstKey(): Promise<FirstKey | null>;
  /** The key with this id; null when it does not exist or is revoked. */
  findKey(keyId: string): Promise<KeyInfo | null>;
  /** Every key, or those of one user; revoked and expired ones too. */
  listKeys(userId?: string): Promise<KeyInfo[]>;
  /** Revokes a key for ever; revoking it twice is success. Throws `not_found`. */
  revokeKey(keyId: string): Promise<void>;
}

const nameCharsMax = 128;

/** Creates the service over a store. */
export function createAccessService(options: AccessOptions): AccessService {
  const { store, clock, newUlid, randomBytes } = options;
  const newUserId = () => `usr_${newUlid()}`;
  const newKey = (wanted: NewKey) => {
    const record = newRecord({ ...wanted, userId: wanted.userId ?? newUserId() }, newUlid(), clock());
    const key = newApiKey(record.keyId, randomBytes);
    return { key, record, stored: { ...record, hash: hashApiKey(key) } };
  };

  return {
    authenticate: createAuthenticator(options),

    async createUser(userId = newUserId()) {
      checkUserId(userId);
      const createdAt = clock();
      if (!(await store.createUser(userId, createdAt))) throw badRequest(`There is a user ${userId} already; choose another id.`);
      return { userId, createdAt };
    },

    listUsers: () => store.listUsers(),

    async deleteUser(userId) {
      if (!(await store.deleteUser(userId))) throw notFound(`There is no user ${userId}.`);
    },

    async createKey(wanted) {
      const { key, record, stored } = newKey(wanted);
      await store.createKey(stored);
      return { key, record };
    },

    async createFirstKey() {
      const { key, record, stored } = newKey({ name: "first key", scopes: allScopes });
      return (await store.createFirstKey(stored)) ? { userId: record.userId, key } : null;
    },

    async findKey(keyId) {
      const record = await store.findKey(keyId);
      return record && record.revokedAt === null ? withoutHash(record) : null;
    },

    listKeys: async (userId) => (await store.listKeys(userId)).map(withoutHash),

    async revokeKey(keyId) {
      if (!(await store.revokeKey(keyId, clock()))) throw notFound(`There is no key with the id ${keyId}; list the keys to find it.`);
    },
  };
}

function withoutHash({ hash: _hash, ...info }: KeyRecord): KeyInfo {
  return info;
}

function newRecord(wanted: NewKey & { userId: string }, keyId: string, now: number): KeyInfo {
  const { userId, name = "", expiresInMs, maxPrivacyLevel = "restricted" } = wanted;
  checkUserId(userId);
  if (name.length > nameCharsMax || /\p{Cc}/u.test(name))
    throw badParameter("name", `must have at most ${nameCharsMax} characters and no control characters`);
  const scopes = allScopes.filter((scope) => wanted.scopes.includes(scope));
  if (scopes.length === 0) throw badParameter("scopes", `must name at least one of ${allScopes.join(", ")}`);
  const expiresAt = wanted.expiresAt ?? (expiresInMs === undefined ? null : now + expiresInMs);
  if (expiresAt !== null && !(expiresAt > now && expiresAt <= 8.64e15)) throw badParameter("expiresAt", "must be in the future");
  return { keyId, userId, name, scopes, maxPrivacyLevel, createdAt: now, expiresAt, lastUsedAt: null, revokedAt: null };
}

function checkUserId(userId: string): void {
  if (!UserId.safeParse(userId).success) throw badParameter("userId", "must be 1 to 128 characters of A-Z a-z 0-9 _ . : -");
}
