import { accessSync, chmodSync, constants, existsSync, realpathSync, type Stats, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { DomainError } from "../../domain-error.js";
import { hasCode } from "../faults.js";
import type { SqliteWriter } from "./writer.js";

/** Free space below which the disk counts as full: room for one large page with its index. */
const freeBytesMin = 8 * 2 ** 20;
/** How long reads trust the last look at the files, which takes some microseconds. */
const trustMs = 100;
/** How long damage that a request met fails the check: it may be on a page that the check does not read. */
const damageShownMs = 60_000;

/** The files of a database: itself, and beside what a link points to, its write-ahead log and the log's index. */
function filesOf(file: string): readonly string[] {
  const target = existsSync(file) ? realpathSync(file) : file;
  return [file, `${target}-wal`, `${target}-shm`];
}

/** Whether the database that was opened can still be used. To be created while a connection is open, which keeps all files in place. */
export class DatabaseHealth {
  readonly #files: ReadonlyArray<readonly [path: string, opened: Stats | undefined, code: string]>;
  #verifiedAt = -Infinity;
  #damage: { failure: DomainError; at: number } | undefined;

  constructor(readonly file: string) {
    this.#files = filesOf(file).map((path) => [path, statOf(path), path === file ? "SQLITE_READONLY_DBMOVED" : "WAL_GONE"]);
  }

  /**
   * Throws when a file was deleted, moved or replaced. SQLite would go on with the file that it has open, and a restart would not find
   * what it writes there.
   */
  verifyFiles(): void {
    if (performance.now() - this.#verifiedAt < trustMs) return;
    this.#verify();
  }

  /** The same as of now, for writes. Throws, too, when the file was made read-only: who has it open could still write. */
  verifyWritable(): void {
    if (((this.#verify()?.mode ?? 0) & 0o222) === 0) throw failed("SQLITE_READONLY");
    accessSync(this.file, constants.W_OK);
  }

  #verify(): Stats | undefined {
    this.#verifiedAt = -Infinity;
    const [file] = this.#files.map(([path, opened, code]) => {
      const found = statOf(path);
      if (found?.ino !== opened?.ino || found?.dev !== opened?.dev) throw failed(code);
      return found;
    });
    this.#verifiedAt = performance.now();
    return file;
  }

  /** Remembers damage that a read or write met. */
  noteFault(failure: DomainError): void {
    if (hasCode(failure, /^SQLITE_(?:CORRUPT|NOTADB)/)) this.#damage = { failure, at: performance.now() };
  }

  /**
   * Throws unless the database can be used: its files are those that were opened, sound as far as anyone has seen, and may be written;
   * its disk has space; and where the last write failed, a write succeeds again.
   */
  async check(db: Database.Database, writer: SqliteWriter): Promise<void> {
    this.verifyWritable();
    if (this.#damage && performance.now() - this.#damage.at < damageShownMs) throw this.#damage.failure;
    // Only a new connection reads the start of the file: others may have it in their cache.
    const fresh = new Database(this.file, { readonly: true, fileMustExist: true });
    try {
      fresh.pragma("schema_version");
    } finally {
      fresh.close();
    }
    if (writer.lastWriteFailed)
      await writer.run(() => db.exec("UPDATE users SET revision = revision WHERE rowid = (SELECT min(rowid) FROM users)"));
    const { blocks, bavail, bsize } = statfsSync(dirname(this.file));
    // Some file systems report no size at all.
    if (blocks > 0 && bavail * bsize < freeBytesMin) throw failed("ENOSPC");
  }
}

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

const failed = (code: string): Error => Object.assign(new Error("The check of the database failed."), { code });

/** Takes the right to read the database from other users of the machine, as after restoring a copy. Returns the files that they could read. */
export function closeToOthers(file: string): string[] {
  // Windows has other means than these bits.
  if (process.platform === "win32") return [];
  const open = filesOf(file).filter((path) => ((statOf(path)?.mode ?? 0) & 0o077) !== 0);
  for (const path of open) chmodSync(path, 0o600);
  return open;
}
