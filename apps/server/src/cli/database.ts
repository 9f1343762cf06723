import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { UserId } from "@periscope/schemas";
import { type AccessService, createAccessService } from "../access/access.service.js";
import type { AccessStore } from "../access/access.store.js";
import { type Config, type ConfigFlags, readConfig } from "../config/config.js";
import { notFound } from "../domain-error.js";
import { type Engine, engineOf } from "../storage/engine.js";
import { createDataDirectory } from "./data-directory.js";
import { UsageError } from "./failure.js";
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

export function userIdOption(text: string): string {
  if (!UserId.safeParse(text).success)
    throw new InvalidArgumentError("Allowed: 1 to 128 characters of A-Z a-z 0-9 _ . : - `periscope users list` shows the ids.");
  return text;
}

/** The configuration and its database. Creates the directory of a database file, or throws `not_found` when the file is missing. */
export function prepareData(env: Terminal["env"], flags: ConfigFlags, { creates = true } = {}): { config: Config; engine: Engine } {
  const config = readConfig(env, flags);
  const engine = engineOf(config.databaseUrl);
  const { file } = engine;
  if (file !== undefined && creates) createDataDirectory(dirname(file));
  else if (file !== undefined && !existsSync(file))
    throw notFound(`There is no database ${file}. Nothing is stored yet, or it is elsewhere: name its place with --data-dir.`);
  return { config, engine };
}

/** Throws `not_found` when there is no such user, and says how to list users. */
export async function requireUser({ env }: Terminal, access: Pick<AccessStore, "listUsers">, userId: string): Promise<void> {
  const users = await access.listUsers();
  if (!users.some((user) => user.userId === userId))
    throw notFound(`There is no user ${userId}. \`${commandName(env)} users list\` lists all users.`);
}

/** The user that a flag names, whether there is one or not yet; without it the only one. Throws {@link UsageError} when there is not exactly one. */
export async function chosenUser({ env }: Terminal, user: string | undefined, access: Pick<AccessStore, "listUsers">): Promise<string> {
  if (user !== undefined) return user;
  const [only, ...others] = await access.listUsers();
  if (!only) throw new UsageError("There are no users yet. Give --user.");
  if (others.length > 0) throw new UsageError(`There are several users. Give --user; \`${commandName(env)} users list\` lists them.`);
  return only.userId;
}

/**
 * Runs `work` on the users and keys of the configured database.
 * Throws `not_found` when the database file is missing, unless `creates`.
 */
export async function withAccess<T>(
  { env }: Terminal,
  flags: ConfigFlags,
  work: (access: AccessService) => Promise<T>,
  { creates = false }: { creates?: boolean } = {},
): Promise<T> {
  const { config, engine } = prepareData(env, flags, { creates });
  await using storage = await engine.open(config);
  return await work(createAccessService({ store: storage.access, clock: Date.now }));
}
