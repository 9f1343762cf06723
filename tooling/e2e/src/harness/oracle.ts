import { join } from "node:path";
import Database from "better-sqlite3";

/** A context as it stands in the server's database. */
export interface StoredContext {
  type: string;
  url: string;
  title: string;
  content: string;
  privacyLevel: string;
  contextId: string;
  /** Milliseconds since the epoch; null for a context that nobody has viewed. */
  viewedAt: number | null;
  /** JSON. */
  metadata: string;
}

/** What the server has, read from its database file behind its back. */
export interface Oracle extends Disposable {
  /** Contexts whose content begins with a text, in order of arrival. */
  contexts(beginning?: string): StoredContext[];
  /** How many outcomes the server keeps of a message. */
  outcomesOf(messageId: string): number;
}

/** Opens the database of the server that runs in `dataDir`, to read it. */
export function openOracle(dataDir: string): Oracle {
  const database = new Database(join(dataDir, "periscope.db"), { readonly: true });
  const contexts = database.prepare<[string, string], StoredContext>(
    "SELECT type, url, title, content, privacyLevel, contextId, viewedAt, metadata FROM contexts WHERE substr(content, 1, length(?)) = ? ORDER BY seq",
  );
  const outcomes = database.prepare<[string], { count: number }>("SELECT count(*) AS count FROM processed_messages WHERE messageId = ?");
  return {
    contexts: (beginning = "") => contexts.all(beginning, beginning),
    outcomesOf: (id) => outcomes.get(id)?.count ?? 0,
    [Symbol.dispose]: () => void database.close(),
  };
}
