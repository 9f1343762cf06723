import { type Command, InvalidArgumentError, Option } from "commander";
import { PrivacyLevel } from "@periscope/schemas";
import { describeKey, type KeyInfo } from "../access/access.service.js";
import { readSecret } from "../access/authenticator.js";
import { allScopes, Scope } from "../access/access.store.js";
import type { ConfigFlags } from "../config/config.js";
import { requireUser, userIdOption, withAccess, withDatabaseOptions } from "./database.js";
import { table, type Terminal, time } from "./terminal.js";

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

export function addKeysCommand(program: Command, terminal: Terminal): void {
  const keys = program.command("keys").description("API keys of agents and extensions");

  withDatabaseOptions(keys.command("create").description("create a key, and its user when missing; the key is shown only once"))
    .requiredOption("--user <id>", "whose contexts the key is for", userIdOption)
    .requiredOption("--scopes <list>", "what the key may do: read, write, delete", scopesOption)
    .option("--name <text>", "what the key is for, as a reminder")
    .option("--expires <duration>", "when the key expires, counted from now, such as 12h or 90d; never by default", durationOption)
    .addOption(new Option("--max-privacy-level <level>", "hide contexts above this level from the key").choices(PrivacyLevel.options))
    .option("--json", "print one JSON object")
    .action((options: CreateOptions) => createKey(terminal, options));

  withDatabaseOptions(keys.command("list").description("list the keys, without their secrets"))
    .option("--user <id>", "only the keys of one user", userIdOption)
    .option("--json", "print a JSON array")
    .action(async (options: ListOptions) => {
      const all = await withAccess(terminal, options, async (access) => {
        if (options.user !== undefined) await requireUser(terminal, access, options.user);
        return await access.listKeys(options.user);
      });
      terminal.out(options.json ? `${JSON.stringify(all.map(keyJson))}\n` : keyTable(all));
    });

  withDatabaseOptions(keys.command("revoke").description("revoke a key at once and permanently"))
    .argument("<keyId>", "the id that keys list shows")
    .action(async (given: string, options: ConfigFlags) => {
      // A user may paste the whole key.
      const keyId = readSecret(given)?.id ?? given;
      await withAccess(terminal, options, (access) => access.revokeKey(keyId));
      terminal.out(`Revoked key ${keyId}.\n`);
    });
}

async function createKey(terminal: Terminal, options: CreateOptions): Promise<void> {
  const { user: userId, scopes, name, expires: expiresInMs, maxPrivacyLevel } = options;
  const { key, record, isNewUser } = await withAccess(
    terminal,
    options,
    async (access) => {
      const users = await access.listUsers();
      const created = await access.createKey({ userId, makesUser: true, scopes, name, expiresInMs, maxPrivacyLevel });
      return { ...created, isNewUser: !users.some((user) => user.userId === userId) };
    },
    { creates: true },
  );
  if (options.json) return terminal.out(`${JSON.stringify({ key, ...keyJson(record) })}\n`);
  const visible = record.maxPrivacyLevel === "restricted" ? "" : `, contexts up to ${record.maxPrivacyLevel} only`;
  terminal.out(
    `${isNewUser ? `User ${userId} is new and has no contexts yet.\n` : ""}Key ${record.keyId} of user ${userId} may ${record.scopes.join(", ")}${visible}. It expires: ${time(record.expiresAt, "never")}.
Save the key now, it is not shown again:

  ${key}

`,
  );
}

function keyJson(key: KeyInfo) {
  const { keyId: id, ...rest } = describeKey(key);
  return { id, ...rest };
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

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000, y: 31_536_000_000 } as const;

/** Later times are past what a database can hold. */
const durationMaxMs = 100 * unitMs.y;

/** Milliseconds of a duration such as `12h` or `90d`; units are m (minutes), h, d, w and y (365 days). */
export function durationOption(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,5})([mhdwy])$/.exec(text) ?? [];
  const ms = Number(count) * unitMs[unit as keyof typeof unitMs];
  if (!(ms <= durationMaxMs)) throw new InvalidArgumentError("Allowed: a number and m, h, d, w or y, such as 90d, up to 100y.");
  return ms;
}

/** Scopes from a comma-separated list, in the order of the contract. */
function scopesOption(text: string): Scope[] {
  const words = text.split(",").map((word) => word.trim());
  if (!words.every((word) => Scope.safeParse(word).success))
    throw new InvalidArgumentError(`Allowed: ${allScopes.join(", ")}, separated by commas.`);
  return allScopes.filter((scope) => words.includes(scope));
}
