import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "commander";
import { monotonicFactory } from "ulid";
import { type AccessService, createAccessService } from "../access/access.service.js";
import type { AccessStore } from "../access/access.store.js";
import { type Config, type ConfigFlags, readConfig } from "../config/config.js";
import { createDataDirectory } from "./data-directory.js";
import { fileOf, isPostgresUrl } from "../database-url.js";
import { notFound } from "../domain-error.js";
import { openStorage } from "../storage/open-storage.js";
import { commandName, type Terminal } from "./terminal.js";

/** Adds the flags that say where the data is. */
export function withDatabaseOptions(command: Command): Command {
  return command
    .option("--data-dir <directory>", "where the data is (PERISCOPE_DATA_DIR)")
    .option(
      "--database-url <url>",
      "the database, such as file:/var/lib/periscope/periscope.db or postgres://host/periscope (DATABASE_URL)",
    );
}

/** The configuration, with the directory of an embedded database made when missing. */
export function prepareData(env: Terminal["env"], flags: ConfigFlags): Config {
  const config = readConfig(env, flags);
  if (!isPostgresUrl(config.databaseUrl)) createDataDirectory(dirname(fileOf(config.databaseUrl)));
  return config;
}

/** Throws `not_found` when there is no database: a command that only looks makes none. On PostgreSQL opening it tells. */
export function requireDatabase(databaseUrl: string): void {
  if (isPostgresUrl(databaseUrl)) return;
  const file = fileOf(databaseUrl);
  if (!existsSync(file)) throw notFound(`There is no database ${file}: nothing is stored yet, or it is elsewhere (--data-dir).`);
}

/** Throws `not_found` when there is no such user, and says how to find out who there is. */
export async function requireUser({ env }: Terminal, access: Pick<AccessStore, "listUsers">, userId: string): Promise<void> {
  const users = await access.listUsers();
  if (!users.some((user) => user.userId === userId))
    throw notFound(`There is no user ${userId}; \`${commandName(env)} users list\` shows who there is.`);
}

/** Runs `work` over the users and keys of the configured database, which is brought up to date first; `scrub` clears it of what was deleted. */
export async function withAccess<T>(
  { env }: Terminal,
  flags: ConfigFlags,
  work: (access: AccessService, scrub: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { databaseUrl, searchTimeoutMs } = prepareData(env, flags);
  await using storage = await openStorage({ databaseUrl, searchTimeoutMs, connectionsMax: 2 });
  return await work(
    createAccessService({
      store: storage.access,
      revision: () => storage.revision(),
      clock: Date.now,
      newUlid: monotonicFactory(),
      randomBytes,
    }),
    () => storage.scrub({ rebuild: true }),
  );
}
