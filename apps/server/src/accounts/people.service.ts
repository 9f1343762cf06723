import type { AccessService } from "../access/access.service.js";
import type { DataStore } from "../data/data.store.js";
import type { Clock } from "../deps.js";
import { forbidden, notFound } from "../domain-error.js";
import type { Account, AccountsStore } from "./accounts.store.js";

/** A user as the owner sees them. Times are milliseconds since the epoch. */
export interface Person {
  userId: string;
  createdAt: number;
  contexts: number;
  /** Bytes of the content of their contexts. */
  bytes: number;
  /** Null for a user that keys have made, who cannot sign in. */
  account: Omit<Account, "userId" | "createdAt"> | null;
}

/** What the owner of an installation does with its people. */
export type PeopleService = ReturnType<typeof createPeopleService>;

export interface PeopleServiceOptions {
  store: AccountsStore;
  access: Pick<AccessService, "listUsers">;
  data: Pick<DataStore, "storedSize">;
  clock: Clock;
}

export function createPeopleService({ store, access, data, clock }: PeopleServiceOptions) {
  const requireOther = (userId: string, ownerId: string) => {
    if (userId === ownerId) throw forbidden("You cannot do this to your own account.");
  };
  return {
    /** Every user, with what they store. */
    async list(): Promise<Person[]> {
      const [users, accounts] = await Promise.all([access.listUsers(), store.listAccounts()]);
      const accountOf = new Map(accounts.map(({ userId, createdAt: _at, ...account }) => [userId, account]));
      const people: Person[] = [];
      // One after the other: each count reads all of a user's contexts.
      for (const { userId, createdAt } of users)
        people.push({ userId, createdAt, ...(await data.storedSize(userId)), account: accountOf.get(userId) ?? null });
      return people;
    },

    /** Ends the sessions of a person and refuses their keys until they are enabled again. Throws `forbidden`, `not_found`. */
    async setDisabled(userId: string, isDisabled: boolean, ownerId: string): Promise<void> {
      requireOther(userId, ownerId);
      if (!(await store.setDisabled(userId, isDisabled ? clock() : null))) throw notFound("This user has no account.");
    },
  };
}
