import type { Line } from "./export-lines.js";

/** An account in the portal with what signs its person in, and the tokens of programs that they let in. */
export type MovedAccount = Omit<Line<"account">, "kind">;

/** A program that has registered to ask people for access. */
export type MovedProgram = Omit<Line<"program">, "kind">;

/** An invite that makes an account. */
export type MovedInvite = Omit<Line<"invite">, "kind">;

/** What lets people and programs in, as it moves from one database to another. Adding what is there already changes nothing. */
export interface SignInStore {
  listPrograms(): Promise<MovedProgram[]>;
  addProgram(program: MovedProgram): Promise<void>;
  /** Those that make the owner's account left out. */
  listInvites(): Promise<MovedInvite[]>;
  addInvite(invite: MovedInvite): Promise<void>;
  /** Null when the person has no account. */
  readAccount(userId: string): Promise<MovedAccount | null>;
  /** Makes nobody an owner where there is one. False, with nothing stored, when somebody else has the email address. */
  addAccount(userId: string, account: MovedAccount): Promise<boolean>;
}
