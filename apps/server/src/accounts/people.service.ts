import type { Deps } from "../deps.js";
import { forbidden, notFound } from "../domain-error.js";
import type { Account } from "./accounts.store.js";

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

export async function listPeople({ stores, access }: Pick<Deps, "stores" | "access">): Promise<Person[]> {
  const [users, accounts] = await Promise.all([access.listUsers(), stores.accounts.listAccounts()]);
  const accountOf = new Map(accounts.map(({ userId, createdAt: _at, ...account }) => [userId, account]));
  const people: Person[] = [];
  // One after the other: each count reads all of a user's contexts.
  for (const { userId, createdAt } of users)
    people.push({ userId, createdAt, ...(await stores.data.storedSize(userId)), account: accountOf.get(userId) ?? null });
  return people;
}

/** Ends the sessions of a person and refuses their keys until they are enabled again. Throws `forbidden`, `not_found`. */
export async function setDisabled(
  { stores, clock }: Pick<Deps, "stores" | "clock">,
  userId: string,
  { isDisabled, by: ownerId }: { isDisabled: boolean; by: string },
): Promise<void> {
  if (userId === ownerId) throw forbidden("You cannot do this to your own account.");
  if (!(await stores.accounts.setDisabled(userId, isDisabled ? clock() : null))) throw notFound("This user has no account.");
}
