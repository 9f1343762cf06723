import type { Command } from "commander";
import type { ConfigFlags } from "../config/config.js";
import { withAccess, withDatabaseOptions } from "./database-options.js";
import { UsageError } from "./failure.js";
import { userIdOption } from "./option-values.js";
import { isoTime, table, time } from "./table.js";
import type { Terminal } from "./terminal.js";

interface UserOptions extends ConfigFlags {
  json?: true;
  yes?: true;
}

/** `periscope users create | list | delete`. */
export function addUsersCommand(program: Command, terminal: Terminal): void {
  const users = program.command("users").description("the people whose contexts are kept");

  withDatabaseOptions(users.command("create").description("make a user and print the id"))
    .argument("[id]", "an id of your choice: A-Z a-z 0-9 _ . : -", userIdOption)
    .action(async (id: string | undefined, flags: UserOptions) => {
      const { userId } = await withAccess(terminal, flags, (access) => access.createUser(id));
      terminal.out(`${userId}\n`);
    });

  withDatabaseOptions(users.command("list").description("list the users"))
    .option("--json", "print a JSON array")
    .action(async (flags: UserOptions) => {
      const all = await withAccess(terminal, flags, (access) => access.listUsers());
      if (flags.json)
        return terminal.out(`${JSON.stringify(all.map(({ userId, createdAt }) => ({ id: userId, createdAt: isoTime(createdAt) })))}\n`);
      terminal.out(
        all.length === 0
          ? "No users yet.\n"
          : table(
              ["USER", "CREATED"],
              all.map(({ userId, createdAt }) => [userId, time(createdAt, "")]),
            ),
      );
    });

  withDatabaseOptions(users.command("delete").description("delete a user with all keys and contexts, for ever"))
    .argument("<id>")
    .option("--yes", "do not ask")
    .action(async (id: string, flags: UserOptions) => {
      if (!flags.yes) await confirmDeletion(terminal, id);
      await withAccess(terminal, flags, async (access, scrub) => {
        await access.deleteUser(id);
        await scrub();
      });
      terminal.out(`Deleted user ${id} with all keys and contexts.\n`);
    });
}

async function confirmDeletion({ ask }: Terminal, userId: string): Promise<void> {
  if (ask === undefined) throw new UsageError("This deletes all keys and contexts of the user for ever. Say so with --yes.");
  const answer = await ask(`This deletes user ${userId} with all keys and contexts, for ever. Type the user id to go on: `);
  if (answer.trim() !== userId) throw new UsageError("Nothing was deleted: what was typed is not the user id.");
}
