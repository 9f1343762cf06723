import type { Clock } from "../deps.js";
import { notFound } from "../domain-error.js";
import type { AccountsStore, Session } from "./accounts.store.js";

/** What a person sees and does about where they are signed in. */
export type SessionsService = ReturnType<typeof createSessionsService>;

export function createSessionsService({ store, clock }: { store: AccountsStore; clock: Clock }) {
  return {
    /** A person's sessions, newest first. */
    list: (userId: string): Promise<Session[]> => store.listSessions(userId, clock()),

    /** Ends one session. Throws `not_found`. */
    async end(userId: string, id: string): Promise<void> {
      if ((await store.endSessions(userId, { id })) === 0) throw notFound("There is no such session. It has ended already.");
    },

    /** Ends all sessions but one. Returns how many. */
    endOthers: (userId: string, sessionId: string): Promise<number> => store.endSessions(userId, { except: sessionId }),

    /** The ways by which a person can sign in, passkeys left out. */
    async listMethods(userId: string): Promise<{ hasPassword: boolean; hasOidc: boolean }> {
      const providers = await store.listProviders(userId);
      return { hasPassword: providers.includes("credential"), hasOidc: providers.some((provider) => provider !== "credential") };
    },
  };
}
