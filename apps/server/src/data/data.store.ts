import type { ContextType, PrivacyLevel, RetentionRule } from "@periscope/schemas";
import type { ChosenContext } from "../contexts/context-removal.js";
import type { StoredContext } from "../contexts/context.store.js";
import type { Filtered } from "../privacy/privacy-filter.js";
import type { Line } from "./export-lines.js";

/** Which contexts of a user are meant. Times are of capture, in milliseconds since the epoch. */
export interface ContextSelection {
  /** Inclusive. */
  since?: number | undefined;
  /** Exclusive. */
  until?: number | undefined;
  type?: ContextType | undefined;
}

/** Further conditions on contexts that are chosen to be deleted. */
export interface HeadSelection extends ContextSelection {
  levels: readonly PrivacyLevel[];
  extensionId?: string | undefined;
}

export interface StoredRetentionRules {
  rules: RetentionRule[];
  updatedAt: number;
}

/** Place in the order of capture: by time ascending, then context id descending, as the index has it. */
export type CapturePlace = Pick<StoredContext, "capturedAt" | "contextId">;

export interface StoredExtension {
  extensionId: string;
  lastSeenAt: number;
  /** The key that its last message came with, where it is known. */
  keyId: string | null;
  /** JSON object; null without one. */
  config: Filtered<string> | null;
  configAt: number | null;
}

/** An error that an extension reported, as often as it did of late. */
export interface ReportedError {
  extensionId: string;
  code: Filtered<string>;
  /** Of the last time. */
  message: Filtered<string>;
  occurredAt: number;
  times: number;
}

export interface StoredTombstone {
  contextId: string;
  deletedAt: number;
}

/** Contexts that were captured on a day, which is one of UTC, counted from the epoch, and the bytes of their contents. */
export interface DaySize {
  day: number;
  contexts: number;
  bytes: number;
}

/** Reads of a user's whole data, page by page. Nothing is held open between two pages, so that a reader may take its time. */
export interface DataStore {
  countContexts(userId: string, selection: ContextSelection): Promise<number>;
  /** The next contexts in the order of capture, of some 256 KiB in all; empty at the end. Plain text is left out. */
  readContexts(userId: string, selection: ContextSelection, after?: CapturePlace): Promise<StoredContext[]>;
  /** The next contexts without their text, in the order of capture. */
  readHeads(userId: string, selection: HeadSelection, after: CapturePlace | undefined, limit: number): Promise<ChosenContext[]>;
  findRetention(userId: string): Promise<StoredRetentionRules | null>;
  /** False when there is no such user. */
  replaceRetention(userId: string, rules: readonly RetentionRule[], at: number): Promise<boolean>;
  readExtensions(userId: string, afterExtensionId: string, limit: number): Promise<StoredExtension[]>;
  /** Those that were heard of last, the latest first. */
  latestExtensions(userId: string, limit: number): Promise<StoredExtension[]>;
  findExtension(userId: string, extensionId: string): Promise<StoredExtension | null>;
  /** Errors that extensions reported since a time, in milliseconds since the epoch; the latest first. */
  reportedErrors(userId: string, since: number, limit: number): Promise<ReportedError[]>;
  /** How many contexts the user has, and the bytes of their contents. */
  storedSize(userId: string): Promise<{ contexts: number; bytes: number }>;
  /** How much was captured on each day since one; days without any are left out. */
  sizesByDay(userId: string, sinceDay: number): Promise<DaySize[]>;
  readTombstones(userId: string, afterContextId: string, limit: number): Promise<StoredTombstone[]>;
  /** Rows of the user, by what they are, for the receipt of an erasure. */
  countRows(userId: string): Promise<Record<string, number>>;
  /** Text of some of the user's contexts, chosen at random. */
  sampleTexts(userId: string, limit: number): Promise<string[]>;
}

/** What was searched for what is left of an erased user, and how many of the texts were found. */
export interface ErasedProof {
  method: "files" | "tables";
  filesSearched: number;
  tablesSearched: number;
  found: number;
}

/**
 * Cleans what the deletes of a user have left behind, and searches for the user's id and for texts. Those that another user has stored,
 * too, do not count. Throws `unavailable` when others keep the database in use.
 */
export type VerifyErased = (userId: string, texts: readonly string[]) => Promise<ErasedProof>;

/** An account in the portal with what signs its person in, and the tokens of programs that they let in. */
export type MovedAccount = Omit<Line<"account">, "kind">;

export type MovedProgram = Omit<Line<"program">, "kind">;

export type MovedInvite = Omit<Line<"invite">, "kind">;

/** What lets people and programs in, as it moves from one database to another. Adding what is there already changes nothing. */
export interface SignInStore {
  listPrograms(): Promise<MovedProgram[]>;
  addProgram(program: MovedProgram): Promise<void>;
  /** Those that make the owner's account left out. */
  listInvites(): Promise<MovedInvite[]>;
  addInvite(invite: MovedInvite): Promise<void>;
  readAccount(userId: string): Promise<MovedAccount | null>;
  /** Makes nobody an owner where there is one. False, with nothing stored, when somebody else has the email address. */
  addAccount(userId: string, account: MovedAccount): Promise<boolean>;
}

/** Contexts and bytes of content that one page holds at most; a larger context is alone. */
export const pageContexts = 50;
const pageBytes = 262_144;

/** How many contexts a page holds, by the bytes of their contents. */
export function fittingCount(sizes: readonly number[]): number {
  let room = pageBytes;
  const fitting = sizes.findIndex((bytes, index) => (room -= bytes) < 0 && index > 0);
  return fitting < 0 ? sizes.length : fitting;
}
