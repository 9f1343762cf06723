import type { Command } from "commander";
import { createAccessService } from "../access/access.service.js";
import { createAccountsService } from "../accounts/accounts.service.js";
import { createInvitesService } from "../accounts/invites.service.js";
import type { Config, ConfigFlags } from "../config/config.js";
import { createEraseService } from "../data/erase.service.js";
import { DomainError, notFound } from "../domain-error.js";
import { toTimestamp } from "../formats.js";
import type { Engine } from "../storage/engine.js";
import { createMemoryRates, createRateLimiter } from "../rates/rate-limiter.js";
import { findServer } from "./data-directory.js";
import { prepareData, userIdOption, withAccess, withDatabaseOptions } from "./database.js";
import { CommandFailed, UsageError } from "./failure.js";
import { durationOption } from "./keys.js";
import { portalUrlOf } from "../main.js";
import { stoppableProgress, table, type Terminal, time } from "./terminal.js";

export function addUsersCommand(program: Command, terminal: Terminal): void {
  const users = program.command("users").description("the people whose contexts are stored");

  withDatabaseOptions(users.command("create").description("create a user and print the id"))
    .argument("[id]", "an id of your choice: A-Z a-z 0-9 _ . : -", userIdOption)
    .action(async (id: string | undefined, flags: ConfigFlags) => {
      const { userId } = await withAccess(terminal, flags, (access) => access.createUser(id), { creates: true });
      terminal.out(`${userId}\n`);
    });

  withDatabaseOptions(users.command("list").description("list the users"))
    .option("--json", "print a JSON array")
    .action(async (flags: ConfigFlags & { json?: true }) => {
      const { config, engine } = prepareData(terminal.env, flags, { creates: false });
      await using storage = await engine.open(config);
      const accounts = new Map((await storage.accounts.listAccounts()).map((account) => [account.userId, account]));
      const users = await createAccessService({ store: storage.access, clock: Date.now }).listUsers();
      const all = users.map(({ userId, createdAt }) => {
        const { name = null, email = null } = accounts.get(userId) ?? {};
        return { id: userId, name, email, createdAt };
      });
      if (flags.json) return terminal.out(`${JSON.stringify(all.map((user) => ({ ...user, createdAt: toTimestamp(user.createdAt) })))}\n`);
      if (all.length === 0) return terminal.out("No users yet.\n");
      const rows = all.map(({ id, name, email, createdAt }) => [id, name ?? "", email ?? "", time(createdAt, "")]);
      terminal.out(table(["USER", "NAME", "EMAIL", "CREATED"], rows));
    });

  withDatabaseOptions(users.command("invite").description("make an invite and print its address, at which one person makes an account"))
    .option("--note <text>", "for whom it is, as a reminder")
    .option("--expires <duration>", "when it expires, counted from now, such as 12h; 7d by default", durationOption)
    .action((flags: InviteOptions) => inviteUser(terminal, flags));

  withDatabaseOptions(users.command("reset-password").description("give an account a new password, print it once, and end its sessions"))
    .argument("<email>", "the email address that the person signs in with")
    .action((email: string, flags: ConfigFlags) => resetPassword(terminal, email, flags));

  withDatabaseOptions(
    users
      .command("erase")
      .description("delete a user with all keys and contexts, prove that nothing is left, and print the receipt as JSON"),
  )
    .argument("<id>")
    .option("--yes", "do not ask")
    .addHelpText(
      "after",
      `
Was it stopped before everything was deleted? Run it again. The receipt can be had once: when a proof fails after the user is
gone, the message says what is left. On SQLite, the database is rewritten after the receipt, and writes of the server may wait
for some seconds a GB.`,
    )
    .action((id: string, flags: ConfigFlags & { yes?: true }) => eraseUser(terminal, id, flags));
}

interface InviteOptions extends ConfigFlags {
  note?: string;
  expires?: number;
}

async function inviteUser(terminal: Terminal, { note, expires, ...flags }: InviteOptions): Promise<void> {
  const { config, engine } = prepareData(terminal.env, flags, { creates: false });
  if (config.signUp === "closed")
    throw new CommandFailed(
      "SIGN_UP is closed in the environment of this command, so no invite was made. Run it with the server's environment; where that is closed, too, set SIGN_UP=invite there and start the server again.",
    );
  await using storage = await engine.open(config);
  const token = await createInvitesService({ ...config, store: storage.accounts, clock: Date.now }).create({ note, lifeMs: expires });
  terminal.out(`${portalAddress(config, engine)}/invite#${token}\n`);
}

async function resetPassword(terminal: Terminal, email: string, flags: ConfigFlags): Promise<void> {
  const { config, engine } = prepareData(terminal.env, flags, { creates: false });
  await using storage = await engine.open(config);
  const account = (await storage.accounts.listAccounts()).find((each) => each.email === email.trim().toLowerCase());
  if (!account) throw notFound(`Nobody signs in with ${email}.`);
  const clock = Date.now;
  const accounts = createAccountsService({
    ...config,
    oidc: null,
    store: storage.accounts,
    invites: createInvitesService({ ...config, store: storage.accounts, clock }),
    access: createAccessService({ store: storage.access, clock }),
    limiter: createRateLimiter(createMemoryRates(clock), clock),
    clock,
    baseUrl: () => portalAddress(config, engine),
    onWarning: () => {},
    onUndoFailed: () => {},
  });
  terminal.out(`${await accounts.resetPassword(account.userId)}\n`);
}

/** Where people open the portal. A running server knows it better than the settings do, when it picked its port itself. */
function portalAddress(config: Config, { file }: Engine): string {
  // With a database server nothing is in the data directory; a server that runs there belongs to another installation.
  const running = config.publicUrl ?? (file === undefined ? null : findServer(config.dataDir))?.info?.address;
  return running?.replace(/\/api\/v1$/, "") ?? portalUrlOf(config, config);
}

async function eraseUser(terminal: Terminal, userId: string, flags: ConfigFlags & { yes?: true }): Promise<void> {
  if (!flags.yes) await confirmDeletion(terminal, userId);
  using progress = stoppableProgress(terminal, "contexts", "Stopped before everything was deleted. Run the same command to continue.");
  const { config, engine } = prepareData(terminal.env, flags, { creates: false });
  await using storage = await engine.open(config);
  // What keeps old pages in use would keep the proof from the receipt, which cannot be had again.
  await storage.scrub().catch((error: unknown) => {
    if (!(error instanceof DomainError && error.code === "unavailable")) throw error;
    throw new CommandFailed(
      "Nothing of the user was deleted, because another program, such as a backup, uses the database. Run the same command later.",
    );
  });
  const receipt = await createEraseService({ ...storage, clock: Date.now }).erase(userId, progress.show);
  progress[Symbol.dispose]();
  terminal.out(`${JSON.stringify(receipt, null, 2)}\n`);
  await storage.scrub({ rebuild: true });
}

async function confirmDeletion({ ask }: Terminal, userId: string): Promise<void> {
  if (ask === undefined) throw new UsageError("This permanently deletes all keys and contexts of the user. Confirm with --yes.");
  const answer = await ask(`This permanently deletes user ${userId} with all keys and contexts. Type the user id to confirm: `);
  if (answer.trim() !== userId) throw new UsageError("Nothing was deleted: the answer was not the user id.");
}
