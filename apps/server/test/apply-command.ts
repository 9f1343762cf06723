import { expect } from "vitest";
import { runCommand } from "../src/cli/program.js";
import type { ApplyReport } from "../src/privacy-apply/apply.service.js";
import { type CommandResult, withoutProgress } from "./test-command.js";
import type { TestServer } from "./test-server.js";

/** Runs `periscope privacy apply` on the server's database, under the policy that these settings make. */
export async function runApply(server: TestServer, env: Record<string, string>, ...words: string[]): Promise<CommandResult> {
  const result = { code: 0, out: "", err: "" };
  result.code = await runCommand(["privacy", "apply", ...words], {
    env: { PERISCOPE_DATA_DIR: server.config.dataDir, DATABASE_URL: server.config.databaseUrl, ...env },
    out: (text) => void (result.out += text),
    err: (text) => void (result.err += text),
  });
  return result;
}

/** The report of a run that must come to its end. */
export async function apply(server: TestServer, env: Record<string, string> = {}, ...words: string[]): Promise<ApplyReport> {
  const { code, out, err } = await runApply(server, env, ...words, "--json");
  expect({ code, err: withoutProgress(err) }).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
}
