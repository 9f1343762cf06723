import type { BetterAuthOptions } from "better-auth";

/** What better-auth keeps its tables in. */
export type AuthDatabase = NonNullable<BetterAuthOptions["database"]>;

/** A token that makes one account. Times are milliseconds since the epoch. */
export interface Invite {
  /** SHA-256 of the token, hex. */
  hash: string;
  /** Whether the account is the owner's. */
  isOwner: boolean;
  createdAt: number;
  expiresAt: number;
}

/** People's accounts, beside what better-auth does itself. */
export interface AccountsStore {
  hasAccounts(): Promise<boolean>;
  /** The secret of this name, the same for all processes: `made` when there is none yet. */
  secret(name: string, made: string, at: number): Promise<string>;
  /** Stores an invite. One for the owner takes the place of all earlier ones for the owner. */
  addInvite(invite: Invite): Promise<void>;
  /** The invite, unless it has expired. */
  findInvite(hash: string, now: number): Promise<Invite | null>;
  /** The same, and removes it: of several calls at once, one gets it. */
  takeInvite(hash: string, now: number): Promise<Invite | null>;
  /** The database for better-auth, loaded on first use. */
  authDatabase(): Promise<AuthDatabase>;
}
