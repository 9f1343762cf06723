import Database from "better-sqlite3";
import type { CurrentFilter, ReadScope, StoredContext } from "../../contexts/context.store.js";
import type { KeyRecord } from "../../access/access.store.js";
import { keyFromRow, type RawKey } from "../access.prisma-store.js";
import { fromRow, type RawRow } from "../context-row.js";
import { levelsUpTo } from "../history-query.js";
import { busyTimeoutMs, cacheOf } from "./pragmas.js";

const columns =
  "userId, contextId, type, tabId, extensionId, capturedAt, privacyLevel, writtenAt, lastSeenAt, contentFormat, url, title, tabMetadata, metadata, content, NULL AS plainText";

/**
 * The reads that most requests make, as prepared statements: through Prisma they cost six times as much.
 * Its connection also tells when another connection has changed the database.
 */
export class HotReads implements Disposable {
  readonly #db: Database.Database;
  readonly #current: Database.Statement<[string], RawRow>;
  readonly #find: Database.Statement<[string, string], RawRow>;
  readonly #key: Database.Statement<[string], RawKey>;
  readonly #revision: Database.Statement<[], number>;

  constructor(file: string) {
    this.#db = new Database(file, { readonly: true });
    this.#db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; ${cacheOf(2)}`);
    // The row is found by its number first, so that no sorter carries contents.
    const newest = "SELECT seq FROM contexts WHERE userId = ? ORDER BY capturedAt DESC, seq DESC LIMIT 1";
    this.#current = this.#db.prepare(`SELECT ${columns} FROM contexts WHERE seq = (${newest})`);
    this.#find = this.#db.prepare(`SELECT ${columns} FROM contexts WHERE userId = ? AND contextId = ?`);
    this.#key = this.#db.prepare("SELECT * FROM api_keys WHERE keyId = ?");
    this.#revision = this.#db.prepare<[], number>("PRAGMA data_version").pluck();
  }

  current(scope: ReadScope, filter: CurrentFilter): StoredContext | null {
    const row = isUnfiltered(scope, filter) ? this.#current.get(scope.userId) : this.#currentWhere(scope, filter);
    return row ? fromRow(row) : null;
  }

  find({ userId, maxPrivacyLevel }: ReadScope, contextId: string): StoredContext | null {
    const row = this.#find.get(userId, contextId);
    if (!row) return null;
    const context = fromRow(row);
    return levelsUpTo(maxPrivacyLevel).includes(context.privacyLevel) ? context : null;
  }

  findKey(keyId: string): KeyRecord | null {
    const row = this.#key.get(keyId);
    return row ? keyFromRow(row) : null;
  }

  revision(): number {
    return this.#revision.get() ?? 0;
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  #currentWhere({ userId, maxPrivacyLevel }: ReadScope, { tabId, extensionId }: CurrentFilter): RawRow | undefined {
    const levels = levelsUpTo(maxPrivacyLevel);
    const sql = `SELECT ${columns} FROM contexts WHERE userId = ? AND privacyLevel IN (${levels.map(() => "?").join()})
      ${tabId === undefined ? "" : "AND tabId = ?"} ${extensionId === undefined ? "" : "AND extensionId = ?"}
      ORDER BY capturedAt DESC, seq DESC LIMIT 1`;
    const given = [tabId, extensionId].filter((value) => value !== undefined);
    return this.#db.prepare<string[], RawRow>(sql).get(userId, ...levels, ...given);
  }
}

function isUnfiltered({ maxPrivacyLevel }: ReadScope, { tabId, extensionId }: CurrentFilter): boolean {
  return maxPrivacyLevel === "restricted" && tabId === undefined && extensionId === undefined;
}
