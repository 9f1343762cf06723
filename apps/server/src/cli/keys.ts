import { type Command, Option } from "commander";
import { PrivacyLevel } from "@periscope/schemas";
import type { KeyInfo } from "../access/access.service.js";
import { keyIdOf } from "../access/api-key.js";
import type { Scope } from "../access/scope.js";
import type { ConfigFlags } from "../config/config.js";
import { withAccess, withDatabaseOptions } from "./database-options.js";
import { durationOption, scopesOption, userIdOption } from "./option-values.js";
import { isoTime, table, time } from "./table.js";
import type { Terminal } from "./terminal.js";

interface CreateOptions extends ConfigFlags {
  user: string;
  scopes: Scope[];
  name?: string;
  expires?: number;
  maxPrivacyLevel?: PrivacyLevel;
  json?: true;
}

interface ListOptions extends ConfigFlags {
  user?: string;
  json?: true;
}

/** `periscope keys create | list | revoke`. */
export function addKeysCommand(program: Command, terminal: Terminal): void {
  const keys = program.command("keys").description("API keys of agents and extensions");

  withDatabaseOptions(keys.command("create").description("make a key, and its user when missing; the key is shown this once"))
    .requiredOption("--user <id>", "whose contexts the key is for", userIdOption)
    .requiredOption("--scopes <list>", "what it may do: read, write, delete", scopesOption)
    .option("--name <text>", "what it is for, as a reminder")
    .option("--expires <duration>", "when it ends, from now, such as 12h or 90d; without it, never", durationOption)
    .addOption(
      new Option("--max-privacy-level <level>", "contexts above this level do not exist for the key").choices(PrivacyLevel.options),
    )
    .option("--json", "print one JSON object")
    .action((options: CreateOptions) => createKey(terminal, options));

  withDatabaseOptions(keys.command("list").description("list the keys, without their secrets"))
    .option("--user <id>", "only those of one user", userIdOption)
    .option("--json", "print a JSON array")
    .action(async (options: ListOptions) => {
      const all = await withAccess(terminal, options, (access) => access.listKeys(options.user));
      terminal.out(options.json ? `${JSON.stringify(all.map(keyJson))}\n` : keyTable(all));
    });

  withDatabaseOptions(keys.command("revoke").description("end a key at once and for ever"))
    .argument("<keyId>", "its id, as keys list shows it")
    .action(async (given: string, options: ConfigFlags) => {
      // Whoever pastes the whole key means this one.
      const keyId = keyIdOf(given) ?? given;
      await withAccess(terminal, options, (access) => access.revokeKey(keyId));
      terminal.out(`Revoked key ${keyId}.\n`);
    });
}

async function createKey(terminal: Terminal, options: CreateOptions): Promise<void> {
  const { user: userId, scopes, name, expires: expiresInMs, maxPrivacyLevel } = options;
  const { key, record } = await withAccess(terminal, options, (access) =>
    access.createKey({ userId, scopes, name, expiresInMs, maxPrivacyLevel }),
  );
  if (options.json) return terminal.out(`${JSON.stringify({ key, ...keyJson(record) })}\n`);
  terminal.out(
    `Key ${record.keyId} of user ${userId} may ${record.scopes.join(", ")}; it ends ${time(record.expiresAt, "never")}.
Keep it now, it is not shown again:

  ${key}

`,
  );
}

function keyJson({ keyId, userId, name, scopes, maxPrivacyLevel, ...times }: KeyInfo) {
  return {
    id: keyId,
    userId,
    name,
    scopes,
    maxPrivacyLevel,
    createdAt: isoTime(times.createdAt),
    expiresAt: isoTime(times.expiresAt),
    lastUsedAt: isoTime(times.lastUsedAt),
    revokedAt: isoTime(times.revokedAt),
  };
}

function keyTable(keys: readonly KeyInfo[]): string {
  if (keys.length === 0) return "No keys yet.\n";
  const now = Date.now();
  return table(
    ["KEY ID", "USER", "NAME", "SCOPES", "UP TO", "CREATED", "LAST USED", "STATE"],
    keys.map((key) => [
      key.keyId,
      key.userId,
      key.name,
      key.scopes.join(","),
      key.maxPrivacyLevel,
      time(key.createdAt, ""),
      time(key.lastUsedAt, "never"),
      stateOf(key, now),
    ]),
  );
}

function stateOf({ revokedAt, expiresAt }: KeyInfo, now: number): string {
  if (revokedAt !== null) return `revoked ${time(revokedAt, "")}`;
  if (expiresAt === null) return "valid";
  return `${expiresAt <= now ? "expired" : "valid until"} ${time(expiresAt, "")}`;
}
