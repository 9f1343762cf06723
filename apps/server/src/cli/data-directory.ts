import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeServerLock } from "../storage/sqlite/server-lock.js";

/** What a server tells of itself to one that finds the directory taken. */
export interface ServerPresence {
  pid: number;
  /** Base address; absent until the server listens. */
  address?: string | undefined;
  /** Names the privacy policy that it filters by; absent until it listens. */
  policy?: string | undefined;
}

/** The right of one server process to a data directory; disposing gives it up. */
export interface DataDirectoryClaim extends Disposable {
  /** Tells where this server listens, and by which privacy policy it filters. */
  announce(server: { address: string; policy: string }): void;
}

/** Another server has the data directory. */
export class DataDirectoryTaken extends Error {
  override readonly name = "DataDirectoryTaken";
  constructor(
    readonly directory: string,
    readonly holder: ServerPresence | null,
  ) {
    const process = holder === null ? "" : ` (process ${holder.pid}${holder.address === undefined ? "" : `, ${holder.address}`})`;
    super(
      `A Periscope server${process} is using the data directory ${directory} already. Stop it first, or give this one another with --data-dir.`,
    );
  }
}

/** Another server has the database, perhaps from another data directory. */
export class DatabaseTaken extends Error {
  override readonly name = "DatabaseTaken";
  constructor(readonly file: string) {
    super(
      `Another Periscope server is using the database ${file} already. Stop it first, or give this one another with --database-url or --data-dir.`,
    );
  }
}

const lockFile = "server.lock";
const presenceFile = "server.json";

/** A look by {@link serverOf} holds the lock for a moment, which must not stop a server from starting. */
const claimWaitMs = 300;

/** Makes the directory when missing, with its parents, readable by its owner alone. */
export function createDataDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
}

/**
 * Makes the directory when missing and claims it for this process. A claim ends with the process, also on `kill -9`.
 * Throws {@link DataDirectoryTaken} while another server has it.
 */
export function claimDataDirectory(directory: string): DataDirectoryClaim {
  createDataDirectory(directory);
  const lock = takeServerLock(join(directory, lockFile), claimWaitMs);
  if (lock === null) throw new DataDirectoryTaken(directory, readPresence(directory));
  const file = join(directory, presenceFile);
  const tell = (presence: ServerPresence) => writeFileSync(file, `${JSON.stringify(presence)}\n`, { mode: 0o600 });
  tell({ pid: process.pid });
  return {
    announce: (server) => tell({ pid: process.pid, ...server }),
    [Symbol.dispose]() {
      rmSync(file, { force: true });
      lock[Symbol.dispose]();
    },
  };
}

/**
 * Claims a database for this process, by a lock beside its file: servers that share one would not share rate budgets.
 * Throws {@link DatabaseTaken} while another server has it.
 */
export function claimDatabase(file: string): Disposable {
  // Two links to one database meet at one lock.
  const lock = takeServerLock(`${existsSync(file) ? realpathSync(file) : file}.lock`, claimWaitMs);
  if (lock === null) throw new DatabaseTaken(file);
  return lock;
}

/** The server that has the directory, or null when none has; its details are null when they cannot be read. */
export function serverOf(directory: string): { presence: ServerPresence | null } | null {
  if (!existsSync(join(directory, lockFile))) return null;
  const lock = takeServerLock(join(directory, lockFile), 0);
  if (lock === null) return { presence: readPresence(directory) };
  lock[Symbol.dispose]();
  return null;
}

function readPresence(directory: string): ServerPresence | null {
  try {
    const { pid, address, policy } = JSON.parse(readFileSync(join(directory, presenceFile), "utf8")) as Record<string, unknown>;
    if (typeof pid !== "number") return null;
    const text = (value: unknown) => (typeof value === "string" ? value : undefined);
    return { pid, address: text(address), policy: text(policy) };
  } catch {
    return null;
  }
}
