import type { MovedAccount, SignInStore } from "../data/sign-in.store.js";
import type { PrismaWrite } from "./access.prisma-store.js";
import type { PrismaClient } from "./generated/sqlite/client.js";

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
