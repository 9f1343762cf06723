import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../deps.js";
import type { AccountsStore, Invite } from "./accounts.store.js";

/** Makes and redeems the tokens that make one account each. Only their hashes are stored. */
export type InvitesService = ReturnType<typeof createInvitesService>;

const setupMs = 86_400_000;

export function createInvitesService({ store, clock }: { store: AccountsStore; clock: Clock }) {
  const create = async (isOwner: boolean, lifeMs: number): Promise<string> => {
    const token = randomBytes(32).toString("base64url");
    const now = clock();
    await store.addInvite({ hash: hashToken(token), isOwner, createdAt: now, expiresAt: now + lifeMs });
    return token;
  };

  return {
    /** A new token that makes the owner's account, for 24 hours; null once there is an account. Earlier ones end. */
    createSetupToken: async (): Promise<string | null> => ((await store.hasAccounts()) ? null : await create(true, setupMs)),

    /** The invite of a token; null when it is wrong, used or expired. */
    find: (token: string): Promise<Invite | null> => store.findInvite(hashToken(token), clock()),

    /** The same, and ends it: of several calls at once, one gets it. */
    redeem: (token: string): Promise<Invite | null> => store.takeInvite(hashToken(token), clock()),
  };
}

const hashToken = (token: string) => createHash("sha256").update(token).digest("hex");
