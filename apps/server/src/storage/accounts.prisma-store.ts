import type { Account, AccountsStore, AuthDatabase, Invite } from "../accounts/accounts.store.js";
import type { PrismaWrite } from "./access.prisma-store.js";
import type { AuthUser, Invite as InviteRow, PrismaClient } from "./generated/sqlite/client.js";

/** The models of better-auth, by their names in the Prisma client. */
const authModels = ["authUser", "authSession", "authAccount", "authVerification", "authPasskey"] as const;
type AuthModel = (typeof authModels)[number];

/** What better-auth's adapter calls of a model without changing anything. */
const reads = new Set(["findFirst", "findMany", "findUnique", "count"]);

/** Accounts, sessions and invites in the database. */
export function createAccountsStore(
  prisma: PrismaClient,
  write: PrismaWrite,
  { provider, hasOwner }: { provider: "sqlite" | "postgresql"; hasOwner: () => Promise<boolean> },
): AccountsStore {
  let database: Promise<AuthDatabase> | undefined;
  const loadDatabase = async (): Promise<AuthDatabase> => {
    const { prismaAdapter } = await import("better-auth/adapters/prisma");
    return prismaAdapter(withQueuedWrites(prisma, write), { provider });
  };
  return {
    hasOwner,

    listAccounts: async () => (await prisma.authUser.findMany({ orderBy: { createdAt: "asc" } })).map(accountFromRow),

    setDisabled: (userId, at) =>
      write(userId, async (tx) => {
        const { count } = await tx.authUser.updateMany({ where: { id: userId }, data: { disabledAt: at === null ? null : new Date(at) } });
        await tx.authSession.deleteMany({ where: { userId } });
        return count > 0;
      }),

    isDisabled: async (userId) => (await prisma.authUser.findFirst({ where: { id: userId, disabledAt: { not: null } } })) !== null,

    touchAccount: (userId, at) =>
      write(userId, async (tx) => void (await tx.authUser.updateMany({ where: { id: userId }, data: { lastSignInAt: new Date(at) } }))),

    async listSessions(userId, now) {
      const rows = await prisma.authSession.findMany({
        where: { userId, expiresAt: { gt: new Date(now) } },
        orderBy: { createdAt: "desc" },
      });
      return rows.map(({ id, ipAddress, userAgent, createdAt, expiresAt }) => {
        return { id, address: ipAddress, userAgent, createdAt: createdAt.getTime(), expiresAt: expiresAt.getTime() };
      });
    },

    endSessions: (userId, which) =>
      write(userId, async (tx) => {
        const id = "id" in which ? which.id : { not: which.except };
        return (await tx.authSession.deleteMany({ where: { userId, id } })).count;
      }),

    async listProviders(userId) {
      const rows = await prisma.authAccount.findMany({ where: { userId }, select: { providerId: true } });
      return rows.map(({ providerId }) => providerId);
    },

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

    async listInvites(now) {
      const rows = await prisma.invite.findMany({
        where: { isOwner: false, expiresAt: { gt: new Date(now) } },
        orderBy: { createdAt: "asc" },
      });
      return rows.map(inviteFromRow);
    },

    removeInvite: (hash) => write(null, async (tx) => (await tx.invite.deleteMany({ where: { hash, isOwner: false } })).count > 0),

    async findInvite(hash, now) {
      const row = await prisma.invite.findFirst({ where: { hash, expiresAt: { gt: new Date(now) } } });
      return row && inviteFromRow(row);
    },

    takeInvite: (hash, isOwner, now) =>
      write(null, async (tx) => {
        const { count } = await tx.invite.deleteMany({ where: { hash, isOwner, expiresAt: { gt: new Date(now) } } });
        return count > 0;
      }),

    authDatabase: () => (database ??= loadDatabase()),
  };
}

function inviteFromRow(row: InviteRow): Invite {
  return { ...row, createdAt: row.createdAt.getTime(), expiresAt: row.expiresAt.getTime() };
}

function accountFromRow({ id, name, email, isOwner, createdAt, disabledAt, lastSignInAt }: AuthUser): Account {
  const millis = (at: Date | null) => at?.getTime() ?? null;
  const times = { createdAt: createdAt.getTime(), disabledAt: millis(disabledAt), lastSignInAt: millis(lastSignInAt) };
  return { userId: id, name, email, isOwner, ...times };
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
