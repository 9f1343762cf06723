import { mkdirSync, readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { startServer } from "@periscope/harness/server";
import { PostgresServer } from "@periscope/harness/postgres";
import pg from "pg";
import { processMemory } from "../../measure/process-memory.ts";
import { processTreeMemory } from "../../measure/process-tree-memory.ts";
import { processorSeconds } from "../../measure/processor-time.ts";
import type { StorePlace } from "./open-store.ts";
import { PostgresFloor } from "./postgres-floor.ts";
import type { ScaleStore } from "./scale-store.ts";
import { StoreKeys } from "./store-keys.ts";

/** A quarter of the machine's memory, from which PostgreSQL's manual starts. All else is its default, autovacuum included. */
const postgresSettings = { shared_buffers: `${Math.floor(totalmem() / 4 / 2 ** 20)}MB`, max_wal_size: "4GB" };

export async function openPostgresStore({ directory, epoch, keys, signal }: StorePlace): Promise<ScaleStore> {
  mkdirSync(directory, { recursive: true });
  await using disposer = new AsyncDisposableStack();
  const postgres = disposer.use(
    await PostgresServer.start({ directory: join(directory, "postgres"), durable: true, settings: postgresSettings }),
  );
  const server = disposer.use(await startServer({ dataDir: directory, databaseUrl: postgres.url(), signal }));
  const client = disposer.adopt(new pg.Client(postgres.url()), (opened) => opened.end());
  client.on("error", () => undefined);
  await client.connect();
  const floor = disposer.adopt(await PostgresFloor.open(postgres.url()), (opened) => opened.close());
  const known = new StoreKeys(keys, async (user, { keyId, hash }) => {
    await client.query(`INSERT INTO users ("userId", "createdAt", revision) VALUES ($1, now(), 1) ON CONFLICT DO NOTHING`, [user]);
    await client.query(
      `INSERT INTO api_keys ("keyId", "userId", name, hash, scopes, "maxPrivacyLevel", "createdAt")
       VALUES ($1, $2, 'bench', $3, 'read write delete', 'restricted', now())`,
      [keyId, user, hash],
    );
  });
  const all = disposer.move();
  const postmaster = () => Number(readFileSync(join(postgres.data, "postmaster.pid"), "utf8").split("\n")[0]);
  const value = async (sql: string) => (await client.query<{ value: string }>(`SELECT ${sql} AS value`)).rows[0]?.value ?? "";
  return {
    engine: "postgres",
    database: `PostgreSQL ${await value("current_setting('server_version')")}`,
    server,
    epoch,
    floor,
    keyOf: (user) => known.of(user),
    count: async () => Number(await value("(SELECT count(*) FROM contexts)")),
    settle: async () => {
      await client.query("VACUUM (ANALYZE)");
      await client.query("CHECKPOINT");
      return "VACUUM (ANALYZE) and CHECKPOINT, autovacuum on throughout";
    },
    bytes: async () => Number(await value(ownBytes)),
    memory: () => {
      const memory = processMemory(server.pid);
      return { server: memory?.resident, serverPeak: memory?.peak, database: processTreeMemory(postmaster()) };
    },
    processorSeconds: () => {
      const [own, database] = [processorSeconds(server.pid), processorSeconds(postmaster())];
      return own === undefined || database === undefined ? undefined : own + database;
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Tables of the server with their indexes and long values; those of the floor stand in a schema of its own. */
const ownBytes =
  "(SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r')";
