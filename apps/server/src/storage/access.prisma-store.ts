import type { PrivacyLevel, PrivacyRules } from "@periscope/schemas";
import { type AccessStore, type KeyRecord, Scope } from "../access/access.store.js";
import type { ApiKey, Prisma, PrismaClient } from "./generated/sqlite/client.js";
import type { StoredRules } from "../privacy/rules.store.js";
import type { createAccessReads } from "./access-reads.js";

/** Runs a transaction that no other writer of the user, where one is named, interleaves with. Its work may run more than once. */
export type PrismaWrite = <T>(userId: string | null, work: (tx: Prisma.TransactionClient) => Promise<T>) => Promise<T>;

/**
 * Users and keys in the database, beside what `access-reads.ts` has.
 * @param engine.hasAnybody whether there is a user or a key already
 * @param engine.onUserDeleted runs in the transaction that deletes a user
 * @param engine.lockFirstKey takes the lock of the transaction that makes the first key
 */
export function createAccessStore(
  prisma: PrismaClient,
  write: PrismaWrite,
  {
    hasAnybody,
    onUserDeleted = async () => {},
    lockFirstKey = async () => {},
  }: {
    hasAnybody: () => Promise<boolean>;
    onUserDeleted?: (tx: Prisma.TransactionClient, userId: string) => Promise<unknown>;
    lockFirstKey?: (tx: Prisma.TransactionClient) => Promise<unknown>;
  },
): Omit<AccessStore, keyof ReturnType<typeof createAccessReads> | "touchKey"> {
  return {
    createUser: (userId, at) =>
      write(userId, async (tx) => {
        if (await tx.user.findUnique({ where: { userId } })) return false;
        await tx.user.create({ data: newUser(userId, at) });
        return true;
      }),

    deleteUser: (userId) =>
      write(userId, async (tx) => {
        await onUserDeleted(tx, userId);
        return await deleteUser(tx, userId);
      }),

    createKey: (key, { validMax = Infinity, makesUser = false } = {}) =>
      write(key.userId, async (tx) => {
        const { userId, keyId } = key;
        if (await tx.apiKey.findUnique({ where: { keyId } })) return "exists";
        if (!(await tx.user.findUnique({ where: { userId } }))) {
          if (!makesUser) return "gone";
          await tx.user.create({ data: newUser(userId, key.createdAt) });
        }
        const notExpired = [{ expiresAt: null }, { expiresAt: { gt: new Date(key.createdAt) } }];
        if ((await tx.apiKey.count({ where: { userId, revokedAt: null, OR: notExpired } })) >= validMax) return "full";
        await tx.apiKey.create({ data: toRow(key) });
        return "created";
      }),

    async createFirstKey(key) {
      // Most starts find somebody and need no lock.
      if (await hasAnybody()) return false;
      return await write(null, async (tx) => {
        await lockFirstKey(tx);
        if ((await tx.apiKey.findFirst({ select: { keyId: true } })) || (await tx.user.findFirst({ select: { userId: true } })))
          return false;
        await tx.user.create({ data: newUser(key.userId, key.createdAt) });
        await tx.apiKey.create({ data: toRow(key) });
        return true;
      });
    },

    async listKeys(userId) {
      const rows = await prisma.apiKey.findMany({ where: userId === undefined ? {} : { userId }, orderBy: { createdAt: "asc" } });
      return rows.map(keyFromRow);
    },

    revokeKey: (keyId, at) =>
      write(null, async (tx) => {
        const key = await tx.apiKey.findUnique({ where: { keyId } });
        if (key && !key.revokedAt) await tx.apiKey.update({ where: { keyId }, data: { revokedAt: new Date(at) } });
        return key !== null;
      }),
  };
}

/** The revision starts at the time, so that it never repeats for a user who is deleted and created again. */
const newUser = (userId: string, at: number) => ({ userId, createdAt: new Date(at), revision: BigInt(at) });

async function deleteUser(tx: Prisma.TransactionClient, userId: string): Promise<boolean> {
  const where = { userId };
  if (!(await tx.user.findUnique({ where }))) return false;
  await tx.authSession.deleteMany({ where });
  await tx.authAccount.deleteMany({ where });
  await tx.authPasskey.deleteMany({ where });
  await tx.authToken.deleteMany({ where });
  // Challenges name the person in their JSON. By `replace`, since the wildcards of LIKE can stand in ids.
  await tx.$executeRaw`DELETE FROM auth_verifications WHERE replace(value, ${JSON.stringify(userId)}, '') <> value`;
  await tx.authUser.deleteMany({ where: { id: userId } });
  await tx.apiKey.deleteMany({ where });
  await tx.context.deleteMany({ where });
  await tx.tombstone.deleteMany({ where });
  await tx.processedMessage.deleteMany({ where });
  await tx.extension.deleteMany({ where });
  await tx.extensionError.deleteMany({ where });
  await tx.privacyRules.deleteMany({ where });
  await tx.privacyProgress.deleteMany({ where });
  await tx.retentionRules.deleteMany({ where });
  await tx.usageByDay.deleteMany({ where });
  await tx.user.delete({ where });
  return true;
}

const keyTimes = ["createdAt", "expiresAt", "lastUsedAt", "revokedAt"] as const;
type KeyTime = (typeof keyTimes)[number];

/** A key's row with its times as a driver gives them: milliseconds, or dates. */
export type RawKey = Omit<ApiKey, KeyTime> & Record<KeyTime, number | Date | null>;

/** The times of a key, each made anew unless it is null. */
function timesOf<T>(key: Record<KeyTime, number | Date | null>, make: (at: number) => T) {
  const times = keyTimes.map((name) => [name, key[name] === null ? null : make(Number(key[name]))]);
  return Object.fromEntries(times) as { createdAt: T } & Record<KeyTime, T | null>;
}

function toRow(key: KeyRecord): ApiKey {
  return { ...key, scopes: key.scopes.join(" "), ...timesOf(key, (at) => new Date(at)) };
}

/** The key of a row; its scopes and level were checked before they were written. */
export function keyFromRow(row: RawKey): KeyRecord {
  return {
    ...row,
    scopes: row.scopes.split(" ").map((scope) => Scope.parse(scope)),
    maxPrivacyLevel: row.maxPrivacyLevel as PrivacyLevel,
    ...timesOf(row, (at) => at),
  };
}

/** Writes of users' privacy rules. Answers the revision of the user's data with them. */
export function createRulesStore(write: PrismaWrite) {
  return {
    replace: (userId: string, rules: PrivacyRules, at: number): Promise<(StoredRules & { revision: number }) | null> =>
      write(userId, async (tx) => {
        if (!(await tx.user.findUnique({ where: { userId } }))) return null;
        // Changes that were worked out under the older rules are refused.
        const { revision } = await tx.user.update({ where: { userId }, data: { revision: { increment: 1 } } });
        const data = { rules: JSON.stringify(rules), updatedAt: new Date(at) };
        const row = await tx.privacyRules.upsert({
          where: { userId },
          create: { userId, version: 1, ...data },
          update: { version: { increment: 1 }, ...data },
        });
        return { ...rulesFromRow(row), revision: Number(revision) };
      }),
  };
}

/** A row of rules with its time as a driver gives it: milliseconds, or a date. */
export interface RawRules {
  version: number;
  rules: string;
  updatedAt: number | Date;
}

/** The rules of a row; they were checked before they were written. */
export function rulesFromRow({ version, rules, updatedAt }: RawRules): StoredRules {
  return { version, rules: JSON.parse(rules) as PrivacyRules, updatedAt: Number(updatedAt) };
}
