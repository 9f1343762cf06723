import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import type { WriteOfUser } from "../access.prisma-store.js";
import type { PrismaClient as SharedClient } from "../generated/sqlite/client.js";
import { PrismaClient } from "../generated/postgres/client.js";
import { isConflict, isDuplicate } from "./database-gone.js";

/** How long a transaction may wait for a connection, and take, in milliseconds. */
const transactionOptions = { maxWait: 5_000, timeout: 60_000 };
const attemptsMax = 4;

/** A Prisma client on the pool's connections. */
export function openPrisma(pool: pg.Pool): SharedClient {
  const client: unknown = new PrismaClient({ adapter: new PrismaPg(pool) });
  // The models are those of the embedded engine, to which a test holds them: code that is shared is written against that client.
  return client as SharedClient;
}

/** Transactions of a Prisma client; one that met another writer's row or lock is run again, and then sees it. */
export function writeOfUser(prisma: SharedClient): WriteOfUser {
  return async (userId, work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await prisma.$transaction(async (tx) => {
          if (userId !== null) await tx.$queryRaw`SELECT 1 FROM users WHERE "userId" = ${userId} FOR NO KEY UPDATE`;
          return await work(tx);
        }, transactionOptions);
      } catch (error) {
        if (attempt === attemptsMax || !(isConflict(error) || isDuplicate(error))) throw error;
      }
    }
  };
}
