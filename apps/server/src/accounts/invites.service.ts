import { randomBytes } from "node:crypto";
import { hashSecret } from "../access/authenticator.js";
import type { Config } from "../config/config.js";
import type { Clock } from "../deps.js";
import { badParameter, forbidden, notFound } from "../domain-error.js";
import type { AccountsStore, Invite } from "./accounts.store.js";
import { dayMs } from "../formats.js";

/** Makes and redeems the tokens that make one account each. Only their hashes are stored. */
export type InvitesService = ReturnType<typeof createInvitesService>;

const setupMs = dayMs;
const inviteMs = 7 * dayMs;

export interface InvitesServiceOptions extends Pick<Config, "signUp" | "publicUrl"> {
  store: AccountsStore;
  clock: Clock;
}

export function createInvitesService({ store, clock, signUp, publicUrl }: InvitesServiceOptions) {
  const create = async ({ isOwner, note, lifeMs }: { isOwner: boolean; note: string; lifeMs: number }): Promise<string> => {
    const token = randomBytes(32).toString("base64url");
    const now = clock();
    await store.addInvite({ hash: hashSecret(token), isOwner, note, createdAt: now, expiresAt: now + lifeMs });
    return token;
  };

  const closedReason =
    signUp === "closed" ? "SIGN_UP is closed: nobody can make an account. Set SIGN_UP=invite and start the server again." : null;

  return {
    /** Why nobody can be invited; null where they can. */
    closedReason,

    /** A new token that makes the owner's account, for 24 hours; null once there is an owner. All others of this kind end. */
    createSetupToken: async (): Promise<string | null> =>
      (await store.hasOwner()) ? null : await create({ isOwner: true, note: "", lifeMs: setupMs }),

    /** A new token that makes an account. Throws `bad_request`, and `forbidden` where nobody may make one. */
    async create({ note = "", lifeMs = inviteMs }: { note?: string | undefined; lifeMs?: number | undefined } = {}): Promise<string> {
      if (closedReason !== null) throw forbidden(closedReason);
      if (note.length > 128 || /\p{Cc}/u.test(note))
        throw badParameter("note", "must have at most 128 characters and no control characters");
      return await create({ isOwner: false, note, lifeMs });
    },

    /** The address that takes an invite. Below PUBLIC_URL; where that is not set, below the address at which the portal is open. */
    toAddress: (token: string, openAt: string): string => `${publicUrl ?? openAt}/invite#${token}`,

    list: (): Promise<Invite[]> => store.listInvites(clock()),

    /** Ends an invite by its hash. Throws `not_found`. */
    async revoke(hash: string): Promise<void> {
      if (!(await store.removeInvite(hash))) throw notFound("There is no such invite. It was used, revoked, or has expired.");
    },

    /** The invite of a token; null when it is wrong, used or expired. */
    find: (token: string): Promise<Invite | null> => store.findInvite(hashSecret(token), clock()),

    /** Ends an invite of this kind and returns it; null when there is none. Of several calls at once, one gets it. */
    redeem: (token: string, { isOwner }: { isOwner: boolean }): Promise<Invite | null> =>
      store.takeInvite(hashSecret(token), isOwner, clock()),

    /** Makes a redeemed invite valid again, when no account came of it. A setup token stays invalid when there is a newer one. */
    restore: (invite: Invite): Promise<void> => store.restoreInvite(invite),
  };
}
