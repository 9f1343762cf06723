import type { AccountsStore, AuthDatabase, Invite } from "../accounts/accounts.store.js";
import type { PrismaWrite } from "./access.prisma-store.js";
import type { Invite as InviteRow, PrismaClient } from "./generated/sqlite/client.js";

/** The models of better-auth, by their names in the Prisma client. */
const authModels = ["authUser", "authSession", "authAccount", "authVerification"] as const;
type AuthModel = (typeof authModels)[number];

/** What better-auth's adapter calls of a model without changing anything. */
const reads = new Set(["findFirst", "findMany", "findUnique", "count"]);

/** Accounts, sessions and invites in the database. */
export function createAccountsStore(
  prisma: PrismaClient,
  write: PrismaWrite,
  { provider, hasAccounts }: { provider: "sqlite" | "postgresql"; hasAccounts: () => Promise<boolean> },
): AccountsStore {
  let database: Promise<AuthDatabase> | undefined;
  const loadDatabase = async (): Promise<AuthDatabase> => {
    const { prismaAdapter } = await import("better-auth/adapters/prisma");
    return prismaAdapter(withQueuedWrites(prisma, write), { provider });
  };
  return {
    hasAccounts,

    secret: (name, made, at) =>
      write(null, async (tx) => {
        const found = await tx.authSecret.findUnique({ where: { name } });
        return (found ?? (await tx.authSecret.create({ data: { name, value: made, createdAt: new Date(at) } }))).value;
      }),

    addInvite: (invite) =>
      write(null, async (tx) => {
        if (invite.isOwner) await tx.invite.deleteMany({ where: { isOwner: true } });
        await tx.invite.create({ data: { ...invite, createdAt: new Date(invite.createdAt), expiresAt: new Date(invite.expiresAt) } });
      }),

    async findInvite(hash, now) {
      const row = await prisma.invite.findFirst({ where: { hash, expiresAt: { gt: new Date(now) } } });
      return row && inviteFromRow(row);
    },

    takeInvite: (hash, now) =>
      write(null, async (tx) => {
        const row = await tx.invite.findFirst({ where: { hash, expiresAt: { gt: new Date(now) } } });
        const { count } = await tx.invite.deleteMany({ where: { hash } });
        return row && count > 0 ? inviteFromRow(row) : null;
      }),

    authDatabase: () => (database ??= loadDatabase()),
  };
}

function inviteFromRow(row: InviteRow): Invite {
  return { ...row, createdAt: row.createdAt.getTime(), expiresAt: row.expiresAt.getTime() };
}

type Operation = (args: unknown) => Promise<unknown>;

/** The part of a Prisma client that better-auth uses. Its writes go through the engine's queue, as all others do. */
function withQueuedWrites(prisma: PrismaClient, write: PrismaWrite): object {
  const queued = (name: AuthModel) =>
    new Proxy(prisma[name], {
      get(model, operation: string) {
        const call = (on: object) => (on as Record<string, Operation>)[operation];
        if (reads.has(operation)) return call(model)?.bind(model);
        return (args: unknown) => write(null, async (tx) => await call(tx[name])?.(args));
      },
    });
  return {
    ...Object.fromEntries(authModels.map((name) => [name, queued(name)])),
    $transaction: (work: Parameters<PrismaWrite>[1]) => write(null, work),
  };
}
