import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import Database from "better-sqlite3";
import { PrismaClient } from "../generated/sqlite/client.js";
import { cacheOf, writerPragmas } from "./pragmas.js";

/** A Prisma client and the one connection that it works on. */
export interface OpenPrisma {
  prisma: PrismaClient;
  /** Only for statements that need no turn of the event loop: what is run here while a transaction is open is part of it. */
  connection: Database.Database;
}

/**
 * Opens a Prisma client with a connection of its own. A transaction and a statement outside it must not share one: the adapter
 * would run the statement inside the transaction.
 */
export async function openPrisma(file: string, cacheMebibytes: number): Promise<OpenPrisma> {
  let connection: Database.Database | undefined;
  class Adapter extends PrismaBetterSqlite3 {
    override async connect() {
      const adapter = await super.connect();
      await adapter.executeScript(writerPragmas + cacheOf(cacheMebibytes));
      connection = connectionOf(adapter);
      return adapter;
    }
  }
  const prisma = new PrismaClient({ adapter: new Adapter({ url: `file:${file}` }, { timestampFormat: "unixepoch-ms" }) });
  await prisma.$connect();
  if (!connection) throw new Error("Prisma connected without its adapter");
  return { prisma, connection };
}

// The adapter keeps its connection in a field that its types do not show. The version is pinned, and a change fails at the first start.
function connectionOf(adapter: object): Database.Database {
  const client = "client" in adapter ? adapter.client : undefined;
  if (!(client instanceof Database)) throw new Error("the SQLite adapter of Prisma keeps its connection elsewhere now");
  return client;
}
