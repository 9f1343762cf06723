import { type OAuthStore, type OAuthToken, waitingClientsMax } from "../oauth/oauth.store.js";
import type { PrismaWrite } from "./access.prisma-store.js";
import type { AuthToken, PrismaClient } from "./generated/sqlite/client.js";

/** Programs that people let in, with their codes and tokens, in the database. */
export function createOAuthStore(prisma: PrismaClient, write: PrismaWrite): OAuthStore {
  return {
    addClient: ({ redirectUris, createdAt, ...client }) =>
      write(null, async (tx) => {
        await tx.authClient.create({ data: { ...client, redirectUris: JSON.stringify(redirectUris), createdAt: new Date(createdAt) } });
        await tx.$executeRaw`DELETE FROM auth_clients WHERE "clientId" IN (SELECT "clientId" FROM auth_clients c
          WHERE NOT EXISTS (SELECT 1 FROM auth_tokens t WHERE t."clientId" = c."clientId")
          ORDER BY "createdAt" DESC LIMIT ${waitingClientsMax} OFFSET ${waitingClientsMax})`;
      }),

    async findClient(clientId) {
      const row = await prisma.authClient.findUnique({ where: { clientId } });
      return row && { ...row, redirectUris: JSON.parse(row.redirectUris) as string[], createdAt: row.createdAt.getTime() };
    },

    addTokens: ([first, ...others], keyExpiresAt) =>
      write(first?.userId ?? null, async (tx) => {
        if (!first) return true;
        const { keyId, userId } = first;
        const { count } = await tx.apiKey.updateMany({
          where: { keyId, userId, revokedAt: null },
          data: { expiresAt: new Date(keyExpiresAt) },
        });
        if (count > 0) for (const token of [first, ...others]) await tx.authToken.create({ data: toRow(token) });
        return count > 0;
      }),

    async findToken(tokenId) {
      const row = await prisma.authToken.findUnique({ where: { tokenId } });
      return row && tokenFromRow(row);
    },

    useToken: (tokenId, at) =>
      write(null, async (tx) => {
        const { count } = await tx.authToken.updateMany({ where: { tokenId, usedAt: null }, data: { usedAt: new Date(at) } });
        const row = await tx.authToken.findUnique({ where: { tokenId } });
        return row && { ...tokenFromRow(row), ...(count > 0 && { usedAt: null }) };
      }),

    async keysOfClient(userId, clientId) {
      const rows = await prisma.authToken.findMany({ where: { userId, clientId }, select: { keyId: true }, distinct: ["keyId"] });
      return rows.map(({ keyId }) => keyId);
    },
  };
}

function toRow(token: OAuthToken): AuthToken {
  const usedAt = token.usedAt === null ? null : new Date(token.usedAt);
  return { ...token, expiresAt: new Date(token.expiresAt), usedAt };
}

function tokenFromRow(row: AuthToken): OAuthToken {
  return { ...row, kind: row.kind as OAuthToken["kind"], expiresAt: row.expiresAt.getTime(), usedAt: row.usedAt?.getTime() ?? null };
}
