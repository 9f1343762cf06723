import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { PrismaClient } from "../generated/sqlite/client.js";
import { writerPragmas } from "./pragmas.js";

class PeriscopeAdapter extends PrismaBetterSqlite3 {
  override async connect() {
    const connection = await super.connect();
    await connection.executeScript(writerPragmas);
    return connection;
  }
}

/**
 * A Prisma client with a connection of its own. A transaction and a statement outside it must not share one: the adapter
 * would run the statement inside the transaction.
 */
export function openPrisma(file: string): PrismaClient {
  return new PrismaClient({ adapter: new PeriscopeAdapter({ url: `file:${file}` }, { timestampFormat: "unixepoch-ms" }) });
}
