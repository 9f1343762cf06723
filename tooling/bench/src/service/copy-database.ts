import { join } from "node:path";
import Database from "better-sqlite3";

/** Copies the server's database, as it stands, to `target`, while the server runs. */
export async function copyDatabase(dataDir: string, target: string): Promise<void> {
  const db = new Database(join(dataDir, "periscope.db"), { readonly: true, fileMustExist: true });
  try {
    await db.backup(target);
  } finally {
    db.close();
  }
}
