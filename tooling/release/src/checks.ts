import { findHeavyBundles } from "./bundle-size.ts";
import { findChangesetProblems } from "./changesets.ts";
import { findInstallProblems } from "./install-packed.ts";
import { findBrokenManifests, findBrokenTypes } from "./packed-packages.ts";
import { runCommand } from "./run-command.ts";

/** Something that must hold for the whole repository. */
export interface Check {
  name: string;
  /** What to do when it fails. */
  remedy: string;
  /** Resolves to nothing when it holds, else to what is wrong. */
  run(root: string): Promise<string | undefined>;
}

/** Every check, in the order they run: cheap and frequent failures first. */
export const checks: readonly Check[] = [
  command("format", ["oxfmt", "--check", "."], "Run `npx pnpm@12 format`."),
  command("manifests", ["sherif"], "Sherif names the package.json and the line; shared versions belong into the catalog."),
  {
    name: "changesets",
    remedy: "See .changeset/README.md.",
    run: findChangesetProblems,
  },
  command("build", ["turbo", "run", "build", "--output-logs=errors-only"], "Mend the build first: later checks need it."),
  command("lint", ["turbo", "run", "lint", "--output-logs=errors-only"], "Mend the code; a rule is not switched off to pass."),
  command("types", ["turbo", "run", "typecheck", "--output-logs=errors-only"], "Mend the types."),
  command("unused", ["knip"], "Remove what nothing uses, or name it as an entry in knip.jsonc."),
  command(
    "openapi",
    ["pnpm", "--filter", "@periscope/server", "openapi:check"],
    "The written OpenAPI document differs from the router: run `pnpm --filter @periscope/server openapi` and read the difference.",
  ),
  {
    name: "bundle-size",
    remedy:
      "Find what pulled the weight in; a bound rises only with the reason in docs/decisions: zod-mini.md, client-on-ky.md, sync-queue.md, reading-pages.md.",
    run: findHeavyBundles,
  },
  {
    name: "publint",
    remedy: "The package as packed differs from what its package.json says.",
    run: findBrokenManifests,
  },
  {
    name: "attw",
    remedy: "The declarations as packed do not fit how the package is imported.",
    run: findBrokenTypes,
  },
  {
    name: "install",
    remedy: "Whoever installs the release would meet this: often a file missing in `files`, or a dependency that is only a devDependency.",
    run: findInstallProblems,
  },
];

function command(name: string, words: readonly string[], remedy: string): Check {
  return {
    name,
    remedy,
    async run(root) {
      const { status, output } = await runCommand(words, { cwd: root });
      return status === 0 ? undefined : output;
    },
  };
}
