import type { PrivacyLevel } from "@periscope/schemas";
import type { AccessStore, KeyRecord } from "../access/access.store.js";
import { Scope } from "../access/scope.js";
import type { ApiKey, Prisma, PrismaClient } from "./generated/sqlite/client.js";

type Write = <T>(work: (tx: Prisma.TransactionClient) => Promise<T>) => Promise<T>;

/** Users and keys in the database; `write` runs a transaction. */
export function createAccessStore(prisma: PrismaClient, write: Write): AccessStore {
  return {
    createUser: (userId, at) =>
      write(async (tx) => {
        if (await tx.user.findUnique({ where: { userId } })) return false;
        await tx.user.create({ data: { userId, createdAt: new Date(at) } });
        return true;
      }),

    async listUsers() {
      const users = await prisma.user.findMany({ orderBy: { createdAt: "asc" } });
      return users.map(({ userId, createdAt }) => ({ userId, createdAt: createdAt.getTime() }));
    },

    hasUser: async (userId) => (await prisma.user.findUnique({ where: { userId } })) !== null,

    deleteUser: (userId) => write((tx) => deleteUser(tx, userId)),

    createKey: (key) => write(async (tx) => void (await tx.apiKey.create({ data: toRow(key) }))),

    async findKey(keyId) {
      const row = await prisma.apiKey.findUnique({ where: { keyId } });
      return row && fromRow(row);
    },

    async listKeys(userId) {
      const rows = await prisma.apiKey.findMany({ where: userId === undefined ? {} : { userId }, orderBy: { createdAt: "asc" } });
      return rows.map(fromRow);
    },

    revokeKey: (keyId, at) =>
      write(async (tx) => {
        const key = await tx.apiKey.findUnique({ where: { keyId } });
        if (key && !key.revokedAt) await tx.apiKey.update({ where: { keyId }, data: { revokedAt: new Date(at) } });
        return key !== null;
      }),

    touchKey: (keyId, at) =>
      write(async (tx) => void (await tx.apiKey.updateMany({ where: { keyId }, data: { lastUsedAt: new Date(at) } }))),
  };
}

async function deleteUser(tx: Prisma.TransactionClient, userId: string): Promise<boolean> {
  const where = { userId };
  if (!(await tx.user.findUnique({ where }))) return false;
  await tx.apiKey.deleteMany({ where });
  await tx.context.deleteMany({ where });
  await tx.tombstone.deleteMany({ where });
  await tx.processedMessage.deleteMany({ where });
  await tx.extension.deleteMany({ where });
  await tx.extensionError.deleteMany({ where });
  await tx.user.delete({ where });
  return true;
}

const optionalDate = (at: number | null): Date | null => (at === null ? null : new Date(at));

function toRow(key: KeyRecord): ApiKey {
  return {
    ...key,
    scopes: key.scopes.join(" "),
    createdAt: new Date(key.createdAt),
    expiresAt: optionalDate(key.expiresAt),
    lastUsedAt: optionalDate(key.lastUsedAt),
    revokedAt: optionalDate(key.revokedAt),
  };
}

function fromRow(row: ApiKey): KeyRecord {
  return {
    ...row,
    scopes: row.scopes.split(" ").map((scope) => Scope.parse(scope)),
    maxPrivacyLevel: row.maxPrivacyLevel as PrivacyLevel,
    createdAt: row.createdAt.getTime(),
    expiresAt: row.expiresAt?.getTime() ?? null,
    lastUsedAt: row.lastUsedAt?.getTime() ?? null,
    revokedAt: row.revokedAt?.getTime() ?? null,
  };
}
