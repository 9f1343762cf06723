import { createHash } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";

/** A context as it stands in the server's database. */
export interface StoredContext {
  userId: string;
  type: string;
  url: string;
  title: string;
  content: string;
  privacyLevel: string;
  contextId: string;
  /** Milliseconds since the epoch. */
  capturedAt: number;
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
  /** Reports of the extension itself: codes and details. */
  reports(): { code: string; message: string; details: string | null }[];
}

/** Opens the database of the server that runs in `dataDir`, to read it. */
export function openOracle(dataDir: string): Oracle {
  const database = new Database(join(dataDir, "periscope.db"), { readonly: true });
  const contexts = database.prepare<[string, string], StoredContext>(
    "SELECT userId, type, url, title, content, privacyLevel, contextId, capturedAt, viewedAt, metadata FROM contexts WHERE substr(content, 1, length(?)) = ? ORDER BY seq",
  );
  const outcomes = database.prepare<[string], { count: number }>("SELECT count(*) AS count FROM processed_messages WHERE messageId = ?");
  const reports = database.prepare<[], { code: string; message: string; details: string | null }>(
    "SELECT code, message, details FROM extension_errors ORDER BY seq",
  );
  return {
    contexts: (beginning = "") => contexts.all(beginning, beginning),
    outcomesOf: (id) => outcomes.get(id)?.count ?? 0,
    reports: () => reports.all(),
    [Symbol.dispose]: () => void database.close(),
  };
}

/** SHA-256 of a text, hex. */
export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
