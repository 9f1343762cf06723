import { type OAuthStore, type OAuthToken, waitingClientsMax } from "../oauth/oauth.store.js";
import type { PrismaWrite } from "./access.prisma-store.js";
import type { AuthToken, Prisma, PrismaClient } from "./generated/sqlite/client.js";

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

    addTokens: (tokens, keyExpiresAt) => write(tokens[0]?.userId ?? null, (tx) => addTokens(tx, tokens, keyExpiresAt)),

    async findToken(tokenId) {
      const row = await prisma.authToken.findUnique({ where: { tokenId } });
      return row && tokenFromRow(row);
    },

    useToken: ({ tokenId, kind, keyId, userId, clientId }, { at, reusableAfter, tokens, keyExpiresAt }) =>
      write(userId, async (tx) => {
        if ((await tx.apiKey.count({ where: { keyId, userId, revokedAt: null } })) === 0) return "ended";
        const { count } = await tx.authToken.updateMany({ where: { tokenId, usedAt: null }, data: { usedAt: new Date(at) } });
        if (count === 0) {
          const before = await tx.authToken.findUnique({ where: { tokenId } });
          if (!before?.usedAt) return "ended";
          if (before.usedAt.getTime() <= reusableAfter) return "used_before";
        }
        if (!(await addTokens(tx, tokens, keyExpiresAt))) return "ended";
        if (kind === "code") {
          const rows = await tx.authToken.findMany({ where: { userId, clientId }, select: { keyId: true }, distinct: ["keyId"] });
          const earlier = rows.map((row) => row.keyId).filter((each) => each !== keyId);
          await tx.apiKey.updateMany({ where: { userId, keyId: { in: earlier }, revokedAt: null }, data: { revokedAt: new Date(at) } });
        }
        return "done";
      }),
  };
}

/** False, and adds nothing, when the key of the tokens has ended. */
async function addTokens(tx: Prisma.TransactionClient, [first, ...others]: readonly OAuthToken[], keyExpiresAt: number): Promise<boolean> {
  if (!first) return true;
  const { keyId, userId } = first;
  const { count } = await tx.apiKey.updateMany({
    where: { keyId, userId, revokedAt: null },
    data: { expiresAt: new Date(keyExpiresAt) },
  });
  if (count > 0) for (const token of [first, ...others]) await tx.authToken.create({ data: toRow(token) });
  return count > 0;
}

function toRow(token: OAuthToken): AuthToken {
  const usedAt = token.usedAt === null ? null : new Date(token.usedAt);
  return { ...token, expiresAt: new Date(token.expiresAt), usedAt };
}

function tokenFromRow(row: AuthToken): OAuthToken {
  return { ...row, kind: row.kind as OAuthToken["kind"], expiresAt: row.expiresAt.getTime(), usedAt: row.usedAt?.getTime() ?? null };
}
