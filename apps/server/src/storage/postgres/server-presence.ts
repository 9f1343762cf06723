import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { placeOf } from "../../database-url.js";
import type { Storage } from "../storage.js";
import { connect } from "./connect.js";
import { advisoryLocks } from "./locks.js";

/** A process that was killed leaves its session, and its lock, behind for a moment. */
const lockWaitMs = 1_000;
const lockRetryMs = 100;
/** After how long a server whose session broke tries to have another. */
const rejoinMs = 1_000;
/** A database that is stalled answers no goodbye. */
const goodbyeMs = 1_000;

/**
 * Opens storage for a server: for as long as it is open, no copy runs on the database unless it is told to. Rejects when one is at work.
 * The lock is that of a session, which a server has also when it has nothing to do.
 */
export async function openBesideNoCopy(databaseUrl: string, open: () => Promise<Storage>): Promise<Storage> {
  const presence = new ServerPresence(databaseUrl);
  await presence.join();
  try {
    const storage = await open();
    return {
      ...storage,
      async [Symbol.asyncDispose]() {
        await storage[Symbol.asyncDispose]();
        await presence.leave();
      },
    };
  } catch (error) {
    await presence.leave();
    throw error;
  }
}

/** Keeps servers and other copies off the database until the result is disposed; undefined when one is at work on it. */
export async function keepServersOff(databaseUrl: string): Promise<AsyncDisposable | undefined> {
  const client = await connect(databaseUrl, { application_name: "periscope copy", keepAlive: true }, "its address");
  if (await took(client, "pg_try_advisory_lock")) return { [Symbol.asyncDispose]: () => client.end() };
  await client.end();
  return undefined;
}

class ServerPresence {
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasLeft = false;

  constructor(private readonly databaseUrl: string) {}

  async join(): Promise<void> {
    const client = await connect(this.databaseUrl, { application_name: "periscope presence", keepAlive: true });
    if (!(await took(client, "pg_try_advisory_lock_shared"))) {
      await client.end();
      throw new Error(
        `\`periscope copy\` is at work on ${placeOf(this.databaseUrl)}. Wait for its end, or stop it; then start the server again.`,
      );
    }
    if (this.#hasLeft) return await client.end();
    this.#client = client;
    client.on("end", () => this.#rejoin());
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    clearTimeout(this.#timer);
    await Promise.race([this.#client?.end().catch(() => {}), pause(goodbyeMs, undefined, { ref: false })]);
  }

  /** The database was gone, or somebody ended the session. A copy that has begun meanwhile is waited for. */
  #rejoin(): void {
    if (this.#hasLeft) return;
    this.#timer = setTimeout(() => void this.join().catch(() => this.#rejoin()), rejoinMs).unref();
  }
}

async function took(client: pg.Client, lock: "pg_try_advisory_lock" | "pg_try_advisory_lock_shared"): Promise<boolean> {
  try {
    await client.query("SET idle_session_timeout = 0");
    for (const until = performance.now() + lockWaitMs; ; await pause(lockRetryMs)) {
      const { rows } = await client.query<{ mine: boolean }>(`SELECT ${lock}(${advisoryLocks.serve}) AS mine`);
      if (rows[0]?.mine) return true;
      if (performance.now() > until) return false;
    }
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}
