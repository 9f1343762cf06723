import { type PrivacyLevel, UserId } from "@periscope/schemas";
import { ulid } from "ulid";
import { badParameter, badRequest, conflict, DomainError, notFound } from "../domain-error.js";
import { toTimestamp } from "../formats.js";
import { type AccessStore, allScopes, type KeyRecord, type Scope, type UserRecord } from "./access.store.js";
import { type AuthenticatorOptions, createAuthenticator, hashSecret, newSecret, type Principal } from "./authenticator.js";

export type { Principal };

/** A key as it may be shown: without its hash. */
export type KeyInfo = Omit<KeyRecord, "hash">;

export interface NewKey {
  userId: string;
  /** Makes the user when missing, for an operator who names one: whoever is erased meanwhile must not come back. */
  makesUser?: boolean | undefined;
  /** At most 128 characters. Default: empty. */
  name?: string | undefined;
  scopes: readonly Scope[];
  /** Milliseconds from now; without it the key never expires. */
  expiresInMs?: number | undefined;
  /** Contexts above this level do not exist for the key. Default `restricted`: it sees all. */
  maxPrivacyLevel?: PrivacyLevel | undefined;
}

/** A key for people and programs: its times as timestamps. */
export function describeKey({ keyId, userId, name, scopes, maxPrivacyLevel, createdAt, expiresAt, lastUsedAt, revokedAt }: KeyInfo) {
  const time = (at: number | null) => (at === null ? null : toTimestamp(at));
  return {
    keyId,
    userId,
    name,
    scopes: [...scopes],
    maxPrivacyLevel,
    createdAt: toTimestamp(createdAt),
    expiresAt: time(expiresAt),
    lastUsedAt: time(lastUsedAt),
    revokedAt: time(revokedAt),
  };
}

/** The key that a fresh installation starts with. */
export interface FirstKey {
  userId: string;
  key: string;
}

export type AccessService = ReturnType<typeof createAccessService>;

const nameCharsMax = 128;

/** Keys of one user that are neither revoked nor expired; those of extensions and of programs that OAuth let in are among them. */
export const validKeysMax = 100;

const newUserId = () => `usr_${ulid()}`;

export function createAccessService(options: AuthenticatorOptions & { store: AccessStore }) {
  const { store, clock } = options;
  const newKey = (wanted: NewKey, keyId: string) => {
    const record = newRecord(wanted, keyId, clock());
    const key = newSecret("psk", keyId);
    return { key, record, stored: { ...record, hash: hashSecret(key) } };
  };
  const createKeyOnce = async (wanted: NewKey, keyId: string): Promise<{ key: string; record: KeyInfo } | null> => {
    const { key, record, stored } = newKey(wanted, keyId);
    const outcome = await store.createKey(stored, { validMax: validKeysMax, makesUser: wanted.makesUser });
    if (outcome === "gone") throw new DomainError("unauthorized", "This user has been deleted.");
    if (outcome === "full")
      throw conflict(`This user has ${validKeysMax} valid keys already, which is the most. Revoke a key, then try again.`);
    return outcome === "created" ? { key, record } : null;
  };

  return {
    ...createAuthenticator(options),

    /** Creates a user, with a new id when none is given. Throws `bad_request` when the id is malformed or taken. */
    async createUser(userId = newUserId()): Promise<UserRecord> {
      checkUserId(userId);
      const createdAt = clock();
      if (!(await store.createUser(userId, createdAt))) throw badRequest(`There is a user ${userId} already; choose another id.`);
      return { userId, createdAt };
    },

    listUsers: () => store.listUsers(),

    /** Removes a user, their keys and everything that is theirs. Throws `not_found`. */
    async deleteUser(userId: string): Promise<void> {
      if (!(await store.deleteUser(userId))) throw notFound(`There is no user ${userId}.`);
    },

    /** Creates a key. The key itself is shown here and never again. Throws `bad_request`, `unauthorized` when there is no such user, and `conflict` past {@link validKeysMax}. */
    async createKey(wanted: NewKey): Promise<{ key: string; record: KeyInfo }> {
      const made = await createKeyOnce(wanted, ulid());
      if (!made) throw conflict("Another key has the same random id. Try again.");
      return made;
    },

    /** The same with a chosen id. Null when there is a key with this id, or was one that is revoked now: of several calls at once, one gets the key. */
    createKeyOnce,

    /** Creates a user and a key with every scope if there are no users yet; else null. Exactly one of several processes succeeds. */
    async createFirstKey(): Promise<FirstKey | null> {
      const { key, record, stored } = newKey({ userId: newUserId(), name: "first key", scopes: allScopes }, ulid());
      return (await store.createFirstKey(stored)) ? { userId: record.userId, key } : null;
    },

    /** The key with this id; null when it does not exist or is revoked. */
    async findKey(keyId: string): Promise<KeyInfo | null> {
      const record = await store.findKey(keyId);
      return record && record.revokedAt === null ? withoutHash(record) : null;
    },

    /** Every key, or those of one user; revoked and expired ones too. */
    listKeys: async (userId?: string): Promise<KeyInfo[]> => (await store.listKeys(userId)).map(withoutHash),

    /** Revokes a key for ever; revoking it twice is success. Throws `not_found`. */
    async revokeKey(keyId: string): Promise<void> {
      if (!(await store.revokeKey(keyId, clock()))) throw notFound(`There is no key with the id ${keyId}; list the keys to find it.`);
    },

    /** The same, if the key is the user's; throws `not_found` for one of another user. */
    async revokeOwnKey(userId: string, keyId: string): Promise<void> {
      const key = await store.findKey(keyId);
      if (key?.userId !== userId) throw notFound("You have no such key.");
      await store.revokeKey(keyId, clock());
    },
  };
}

function withoutHash({ hash: _hash, ...info }: KeyRecord): KeyInfo {
  return info;
}

function newRecord(wanted: NewKey, keyId: string, now: number): KeyInfo {
  const { userId, name = "", expiresInMs, maxPrivacyLevel = "restricted" } = wanted;
  checkUserId(userId);
  if (name.length > nameCharsMax || /\p{Cc}/u.test(name))
    throw badParameter("name", `must have at most ${nameCharsMax} characters and no control characters`);
  const scopes = allScopes.filter((scope) => wanted.scopes.includes(scope));
  if (scopes.length === 0) throw badParameter("scopes", `must name at least one of ${allScopes.join(", ")}`);
  const expiresAt = expiresInMs === undefined ? null : now + expiresInMs;
  if (expiresAt !== null && !(expiresAt > now && expiresAt <= 8.64e15)) throw badParameter("expiresAt", "must be in the future");
  return { keyId, userId, name, scopes, maxPrivacyLevel, createdAt: now, expiresAt, lastUsedAt: null, revokedAt: null };
}

function checkUserId(userId: string): void {
  if (!UserId.safeParse(userId).success) throw badParameter("userId", "must be 1 to 128 characters of A-Z a-z 0-9 _ . : -");
}
