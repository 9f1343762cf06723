import type { PrivacyLevel } from "@periscope/schemas";
import Database from "better-sqlite3";
import type { ReadScope } from "../../access/scope.js";
import type { CurrentFilter, StoredContext } from "../../contexts/context.store.js";
import type { StoredRules } from "../../privacy/rules.store.js";
import type { KeyRecord } from "../../access/access.store.js";
import { keyFromRow, type RawKey } from "../access.prisma-store.js";
import { fromRow, type RawRow } from "../context-row.js";
import { levelsUpTo } from "../history-query.js";
import { type RawRules, rulesFromRow } from "../rules.prisma-store.js";
import { busyTimeoutMs, cacheOf } from "./pragmas.js";

const columns =
  "userId, contextId, type, tabId, extensionId, capturedAt, privacyLevel, writtenAt, lastSeenAt, contentFormat, url, title, tabMetadata, metadata, content, NULL AS plainText";

/** A connection to the database at `file` that cannot write. */
export function connectForReads(file: string): Database.Database {
  const connection = new Database(file, { readonly: true });
  connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; ${cacheOf(2)}`);
  return connection;
}

/**
 * The reads that most requests make, as prepared statements: through Prisma they cost six times as much.
 * Its connection also tells when another connection has changed the database.
 */
export class HotReads {
  readonly #db: Database.Database;
  /** By what they filter on; prepared when first wanted. */
  readonly #current = new Map<string, Database.Statement<string[], RawRow>>();
  readonly #find: Database.Statement<[string, string], RawRow>;
  readonly #key: Database.Statement<[string], RawKey>;
  readonly #rules: Database.Statement<[string], RawRules>;
  readonly #anyUser: Database.Statement<[]>;
  readonly #revision: Database.Statement<[], number>;

  /** @param connection from {@link connectForReads}; whoever opened it closes it */
  constructor(connection: Database.Database) {
    this.#db = connection;
    this.#find = this.#db.prepare(`SELECT ${columns} FROM contexts WHERE userId = ? AND contextId = ?`);
    this.#key = this.#db.prepare("SELECT * FROM api_keys WHERE keyId = ?");
    this.#rules = this.#db.prepare("SELECT version, rules, updatedAt FROM privacy_rules WHERE userId = ?");
    this.#anyUser = this.#db.prepare("SELECT 1 FROM users LIMIT 1");
    this.#revision = this.#db.prepare<[], number>("PRAGMA data_version").pluck();
  }

  current({ userId, maxPrivacyLevel }: ReadScope, { tabId, extensionId }: CurrentFilter): StoredContext | null {
    const seesAll = maxPrivacyLevel === "restricted";
    const wanted = { levels: seesAll ? [] : levelsUpTo(maxPrivacyLevel), tabId, extensionId };
    const shape = `${wanted.levels.length}${tabId === undefined ? "" : "t"}${extensionId === undefined ? "" : "e"}`;
    let statement = this.#current.get(shape);
    if (!statement) this.#current.set(shape, (statement = this.#db.prepare(currentSql(wanted))));
    const given = [tabId, extensionId].filter((value) => value !== undefined);
    const row = statement.get(userId, ...wanted.levels, ...given);
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

  findRules(userId: string): StoredRules | null {
    const row = this.#rules.get(userId);
    return row ? rulesFromRow(row) : null;
  }

  revision(): number {
    return this.#revision.get() ?? 0;
  }

  /** Throws when the database cannot be read. */
  ping(): void {
    this.#anyUser.get();
  }
}

/**
 * The statement that finds the newest context of a user. Its parameters are the user, the levels, the tab and the extension,
 * as far as given; without levels every level matches.
 */
export function currentSql({ levels, tabId, extensionId }: CurrentFilter & { levels: readonly PrivacyLevel[] }): string {
  const conditions = [
    "userId = ?",
    ...(levels.length === 0 ? [] : [`privacyLevel IN (${levels.map(() => "?").join()})`]),
    ...(tabId === undefined ? [] : ["tabId = ?"]),
    // A browser has many tabs: with both given, the plus leaves the choice of the index to the tab.
    ...(extensionId === undefined ? [] : [tabId === undefined ? "extensionId = ?" : "+extensionId = ?"]),
  ];
  // The row is found by its number first, so that no sorter carries contents.
  const newest = `SELECT seq FROM contexts WHERE ${conditions.join(" AND ")} ORDER BY capturedAt DESC, seq DESC LIMIT 1`;
  return `SELECT ${columns} FROM contexts WHERE seq = (${newest})`;
}
