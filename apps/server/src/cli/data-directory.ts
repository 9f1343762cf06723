import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeServerLock } from "../storage/sqlite/connection.js";
import { CommandFailed } from "./failure.js";

/** What a running server writes about itself beside its lock. */
export interface ServerInfo {
  pid: number;
  /** Base address; absent until the server listens. */
  address?: string | undefined;
  /** Name of its privacy policy; absent until it listens. */
  policy?: string | undefined;
}

const lockFile = "server.lock";
const infoFile = "server.json";

/** {@link findServer} holds the lock for a moment, which must not stop a server from starting. */
const claimWaitMs = 300;

/** Creates the directory and its parents when missing, readable by their owner alone. */
export function createDataDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
}

/**
 * Creates the directory when missing and claims it for this process, until the claim is disposed or the process ends, also by `kill -9`.
 * Throws {@link CommandFailed} while another server has it.
 */
export function claimDataDirectory(directory: string) {
  createDataDirectory(directory);
  const lock = takeServerLock(join(directory, lockFile), claimWaitMs);
  if (lock === null) {
    const holder = readInfo(directory);
    const process = holder && ` (process ${holder.pid}${holder.address === undefined ? "" : `, ${holder.address}`})`;
    throw new CommandFailed(
      `Another Periscope server${process ?? ""} uses the data directory ${directory}. Stop it, or choose another directory with --data-dir.`,
    );
  }
  const file = join(directory, infoFile);
  const write = (info: ServerInfo) => writeFileSync(file, `${JSON.stringify(info)}\n`, { mode: 0o600 });
  write({ pid: process.pid });
  return {
    /** Writes down where this server listens, and its privacy policy. */
    announce: (server: { address: string; policy: string }) => write({ pid: process.pid, ...server }),
    [Symbol.dispose]() {
      rmSync(file, { force: true });
      lock[Symbol.dispose]();
    },
  };
}

/**
 * Claims a database file for this process, by a lock beside it: servers that shared one would not share rate limits.
 * Throws {@link CommandFailed} while another server has it.
 */
export function claimDatabase(file: string): Disposable {
  const lock = takeServerLock(databaseLock(file), claimWaitMs);
  if (lock === null)
    throw new CommandFailed(
      `Another Periscope server uses the database ${file}. Stop it, or choose another database with --database-url or --data-dir.`,
    );
  return lock;
}

/** Whether a server uses the database, whatever its data directory is. */
export function isClaimed(file: string): boolean {
  if (!existsSync(databaseLock(file))) return false;
  const lock = takeServerLock(databaseLock(file), claimWaitMs);
  lock?.[Symbol.dispose]();
  return lock === null;
}

/** Two links to one database have one lock. */
export function databaseLock(file: string): string {
  return `${existsSync(file) ? realpathSync(file) : file}.lock`;
}

/** The server that uses the directory, or null when none does; its info is null when it cannot be read. */
export function findServer(directory: string): { info: ServerInfo | null } | null {
  if (!existsSync(join(directory, lockFile))) return null;
  const lock = takeServerLock(join(directory, lockFile), 0);
  if (lock === null) return { info: readInfo(directory) };
  lock[Symbol.dispose]();
  return null;
}

function readInfo(directory: string): ServerInfo | null {
  try {
    const { pid, address, policy } = JSON.parse(readFileSync(join(directory, infoFile), "utf8")) as Record<string, unknown>;
    if (typeof pid !== "number") return null;
    const text = (value: unknown) => (typeof value === "string" ? value : undefined);
    return { pid, address: text(address), policy: text(policy) };
  } catch {
    return null;
  }
}
