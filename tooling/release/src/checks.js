import { findLongFiles } from "./file-lengths.ts";
import { runCommand } from "./run-command.ts";
/** Every check, in the order they run: cheap and frequent failures first. */
export const checks = [
  command("format", ["oxfmt", "--check", "."], "Run `npx pnpm@12 format`."),
  {
    name: "file-lengths",
    remedy: "Split the file by subject; the bound is not raised.",
    run: findLongFiles,
  },
  command("manifests", ["sherif"], "Sherif names the package.json and the line; shared versions belong into the catalog."),
  command("build", ["turbo", "run", "build", "--output-logs=errors-only"], "Mend the build first: later checks need it."),
  command("lint", ["turbo", "run", "lint", "--output-logs=errors-only"], "Mend the code; a rule is not switched off to pass."),
  command("types", ["turbo", "run", "typecheck", "--output-logs=errors-only"], "Mend the types."),
  command("unused", ["knip"], "Remove what nothing uses, or name it as an entry in knip.json."),
  command(
    "openapi",
    ["pnpm", "--filter", "@periscope/server", "openapi:check"],
    "The written OpenAPI document differs from the router: run `pnpm --filter @periscope/server openapi:write` and read the difference.",
  ),
];
function command(name, words, remedy) {
  return {
    name,
    remedy,
    async run(root) {
      const { status, output } = await runCommand(words, { cwd: root });
      return status === 0 ? undefined : output;
    },
  };
}
