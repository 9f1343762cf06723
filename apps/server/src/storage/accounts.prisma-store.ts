import type { Account, AccountsStore, AuthDatabase, Invite } from "../accounts/accounts.store.js";
import type { MovedAccount, SignInStore } from "../data/data.store.js";
import type { PrismaWrite } from "./access.prisma-store.js";
import type { AuthUser, Invite as InviteRow, Prisma, PrismaClient } from "./generated/sqlite/client.js";
import { type StoreHooks, withUnavailableErrors } from "./faults.js";
import type { Sql } from "./sql.js";

/** The models of better-auth, by their names in the Prisma client. */
const authModels = ["authUser", "authSession", "authAccount", "authVerification", "authPasskey"] as const;
type AuthModel = (typeof authModels)[number];

/** What better-auth's adapter calls of a model without changing anything. */
const reads = new Set(["findFirst", "findMany", "findUnique", "count"]);

/**
 * Accounts, sessions and invites in the database.
 * @param engine.hooks what the engine adds to the calls of better-auth, as to the methods of its stores
 * @param engine.lockSetupToken takes the lock of a transaction that stores a setup token, of which there is one at most
 */
export function createAccountsStore(
  prisma: PrismaClient,
  write: PrismaWrite,
  sql: Sql,
  {
    provider,
    hooks = {},
    lockSetupToken = async () => {},
  }: { provider: "sqlite" | "postgresql"; hooks?: StoreHooks; lockSetupToken?: (tx: Prisma.TransactionClient) => Promise<unknown> },
): AccountsStore {
  let database: Promise<AuthDatabase> | undefined;
  const loadDatabase = async (): Promise<AuthDatabase> => {
    const { prismaAdapter } = await import("better-auth/adapters/prisma");
    return prismaAdapter(withQueuedWrites(prisma, write, hooks), { provider });
  };
  return {
    hasOwner: async () => (await sql.read("", 'SELECT 1 FROM auth_users WHERE "isOwner" LIMIT 1', [])).length > 0,

    listAccounts: async () => (await prisma.authUser.findMany({ orderBy: { createdAt: "asc" } })).map(accountFromRow),

    setDisabled: (userId, at) =>
      write(userId, async (tx) => {
        const { count } = await tx.authUser.updateMany({ where: { id: userId }, data: { disabledAt: at === null ? null : new Date(at) } });
        await tx.authSession.deleteMany({ where: { userId } });
        return count > 0;
      }),

    isEnabled: async (userId) => (await prisma.authUser.findFirst({ where: { id: userId, disabledAt: null } })) !== null,

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
        if (invite.isOwner) {
          await lockSetupToken(tx);
          await tx.invite.deleteMany({ where: { isOwner: true } });
        }
        await tx.invite.create({ data: toInviteRow(invite) });
      }),

    restoreInvite: (invite) =>
      write(null, async (tx) => {
        if (invite.isOwner) {
          await lockSetupToken(tx);
          if ((await tx.invite.findFirst({ where: { isOwner: true } })) !== null) return;
        }
        await tx.invite.create({ data: toInviteRow(invite) });
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
        const where = { hash, isOwner, expiresAt: { gt: new Date(now) } };
        const row = await tx.invite.findFirst({ where });
        const { count } = await tx.invite.deleteMany({ where });
        // Another process may have made the owner by an earlier token.
        if (isOwner && (await tx.authUser.findFirst({ where: { isOwner: true } })) !== null) return null;
        return row && count > 0 ? inviteFromRow(row) : null;
      }),

    authDatabase: () => (database ??= loadDatabase()),
  };
}

function toInviteRow(invite: Invite): InviteRow {
  return { ...invite, createdAt: new Date(invite.createdAt), expiresAt: new Date(invite.expiresAt) };
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

/**
 * The part of a Prisma client that better-auth uses. Its writes go through the engine's queue, and its calls reject with `unavailable` where
 * the database is at fault, as all others do.
 */
function withQueuedWrites(prisma: PrismaClient, write: PrismaWrite, hooks: StoreHooks): object {
  const queued = (name: AuthModel) =>
    new Proxy(prisma[name], {
      get(model, operation: string) {
        const call = async (on: object, args: unknown) => await (on as Record<string, Operation>)[operation]?.(args);
        const run: Operation = (args) => (reads.has(operation) ? call(model, args) : write(null, (tx) => call(tx[name], args)));
        return withUnavailableErrors({ run }, hooks).run;
      },
    });
  return {
    ...Object.fromEntries(authModels.map((name) => [name, queued(name)])),
    ...withUnavailableErrors({ $transaction: (work: Parameters<PrismaWrite>[1]) => write(null, work) }, hooks),
  };
}

/** Of a way to sign in, all but what an identity provider has given for its own use. */
const methodColumns = { id: true, providerId: true, accountId: true, password: true, createdAt: true, updatedAt: true } as const;

/** Accounts, programs and invites as they move from one database to another. */
export function createSignInStore(prisma: PrismaClient, write: PrismaWrite): SignInStore {
  return {
    async listPrograms() {
      const rows = await prisma.authClient.findMany({ orderBy: { createdAt: "asc" } });
      return rows.map(({ redirectUris, ...program }) => ({ ...program, redirectUris: JSON.parse(redirectUris) as string[] }));
    },

    addProgram: ({ redirectUris, ...program }) =>
      write(null, async (tx) => {
        const create = { ...program, redirectUris: JSON.stringify(redirectUris) };
        await tx.authClient.upsert({ where: { clientId: program.clientId }, create, update: {} });
      }),

    listInvites: () => prisma.invite.findMany({ where: { isOwner: false }, omit: { isOwner: true }, orderBy: { createdAt: "asc" } }),

    addInvite: (invite) =>
      write(null, async (tx) => {
        await tx.invite.upsert({ where: { hash: invite.hash }, create: { ...invite, isOwner: false }, update: {} });
      }),

    async readAccount(userId) {
      const user = await prisma.authUser.findUnique({ where: { id: userId } });
      if (!user) return null;
      const { id: _id, ...person } = user;
      const tokens = await prisma.authToken.findMany({
        where: { userId, kind: { in: ["access", "refresh"] } },
        omit: { userId: true, redirectUri: true, challenge: true },
      });
      return {
        person,
        signInMethods: await prisma.authAccount.findMany({ where: { userId }, select: methodColumns }),
        passkeys: await prisma.authPasskey.findMany({ where: { userId }, omit: { userId: true } }),
        agentTokens: tokens as MovedAccount["agentTokens"],
      };
    },

    addAccount: (userId, { person, signInMethods, passkeys, agentTokens }) =>
      write(userId, async (tx) => {
        if (await tx.authUser.findUnique({ where: { id: userId } })) return true;
        if (await tx.authUser.findUnique({ where: { email: person.email } })) return false;
        const isOwner = person.isOwner && (await tx.authUser.findFirst({ where: { isOwner: true } })) === null;
        await tx.authUser.create({ data: { ...person, isOwner, id: userId } });
        for (const method of signInMethods) {
          // An identity of a provider opens one account: that of the person who has it here.
          const { providerId, accountId } = method;
          if (!(await tx.authAccount.findFirst({ where: { providerId, accountId } })))
            await tx.authAccount.create({ data: { ...method, userId } });
        }
        for (const passkey of passkeys) await tx.authPasskey.create({ data: { ...passkey, userId } });
        for (const token of agentTokens) await tx.authToken.create({ data: { ...token, userId } });
        return true;
      }),
  };
}
