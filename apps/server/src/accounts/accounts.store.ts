import type { BetterAuthOptions } from "better-auth";

export type AuthDatabase = NonNullable<BetterAuthOptions["database"]>;

/** A token that makes one account. Times are milliseconds since the epoch. */
export interface Invite {
  /** SHA-256 of the token, hex. */
  hash: string;
  isOwner: boolean;
  /** For whom it is, as a reminder. */
  note: string;
  createdAt: number;
  expiresAt: number;
}

/** An account as the owner sees it. */
export interface Account {
  userId: string;
  name: string;
  email: string;
  isOwner: boolean;
  createdAt: number;
  disabledAt: number | null;
  lastSignInAt: number | null;
}

/** A session as its person sees it. */
export interface Session {
  id: string;
  /** The client's address and browser at sign-in. */
  address: string | null;
  userAgent: string | null;
  createdAt: number;
  expiresAt: number;
}

/** People's accounts, beside what better-auth does itself. */
export interface AccountsStore {
  hasOwner(): Promise<boolean>;
  listAccounts(): Promise<Account[]>;
  /** Sets or clears since when a person is disabled, and ends their sessions. False without such an account. */
  setDisabled(userId: string, at: number | null): Promise<boolean>;
  /** Whether the person has an account, and is not disabled. */
  isEnabled(userId: string): Promise<boolean>;
  /** Stores the time of a person's last sign-in. */
  touchAccount(userId: string, at: number): Promise<void>;
  /** Sessions of a person that have not expired, newest first. */
  listSessions(userId: string, now: number): Promise<Session[]>;
  /** Ends one session of a person, or all but one. Returns how many. */
  endSessions(userId: string, which: { id: string } | { except: string }): Promise<number>;
  /** The ways by which a person can sign in, by their names in better-auth: `credential` is a password. */
  listProviders(userId: string): Promise<string[]>;
  /** The secret of this name, the same for all processes: `made` when there is none yet. */
  secret(name: string, made: string, at: number): Promise<string>;
  /** Stores an invite. One for the owner takes the place of all others for the owner. */
  addInvite(invite: Invite): Promise<void>;
  /** Stores an invite that was taken. One for the owner is left out when there is another for the owner by now. */
  restoreInvite(invite: Invite): Promise<void>;
  /** Invites that have not expired, those for the owner left out. */
  listInvites(now: number): Promise<Invite[]>;
  /** False when there is no such invite. */
  removeInvite(hash: string): Promise<boolean>;
  /** The invite, unless it has expired. */
  findInvite(hash: string, now: number): Promise<Invite | null>;
  /** Removes the invite and returns it; null when there is none of this kind, or it has expired. Of several calls at once, one gets it. */
  takeInvite(hash: string, isOwner: boolean, now: number): Promise<Invite | null>;
  /** The database for better-auth, loaded on first use. */
  authDatabase(): Promise<AuthDatabase>;
}
