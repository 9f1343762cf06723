import { runProgram } from "@periscope/harness/program";
import { finish, root, type Tally } from "./tally.ts";

// Usage: pnpm check [name …]. Runs every check, or the named ones, and goes on after a failure. With ALREADY_BUILT=1 it builds nothing.

/** A command, and what to do when it fails. Cheap and frequent failures come first. */
const checks: Readonly<Record<string, { command: string; remedy: string }>> = {
  format: { command: "oxfmt --check .", remedy: "Run `npx pnpm@12 format`." },
  manifests: { command: "sherif", remedy: "Sherif names the package.json and the line. Shared versions belong into the catalog." },
  changesets: { command: "changeset status", remedy: "See .changeset/README.md." },
  workflows: { command: "pnpm run lint:workflows", remedy: "Mend the workflow file." },
  build: { command: "turbo run build --output-logs=errors-only", remedy: "Mend the build first: later checks need it." },
  // Types are checked on the way.
  lint: { command: "oxlint", remedy: "Mend the code. Do not switch off a rule to pass." },
  folders: { command: "node tooling/lint/src/check-folders.ts", remedy: "Move what the lower folder needs down, or what needs both up." },
  unused: { command: "knip", remedy: "Remove what nothing uses, or name it as an entry in knip.jsonc." },
  "bundle-size": {
    command: "size-limit",
    remedy:
      "Remove apps/portal/dist, which may hold files of older builds. Then find what is new in the bundle. A limit in .size-limit.json rises only with its reason in docs/decisions.",
  },
  packed: {
    command: "node tooling/release/src/packed.ts",
    remedy: "Whoever installs the release would meet this: often a file missing in `files`, or a dependency that is only a devDependency.",
  },
};

const wanted = process.argv.slice(2).filter((argument) => argument !== "--");
const unknown = wanted.find((name) => !(name in checks));
if (unknown !== undefined) {
  console.error(`There is no check named ${unknown}. There are: ${Object.keys(checks).join(", ")}.`);
  process.exit(2);
}

const tally: Tally = { passed: [], failed: [] };
for (const [name, { command, remedy }] of Object.entries(checks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  // A build beside the tests of CI could replace what they read.
  if (name === "build" && process.env["ALREADY_BUILT"] === "1") continue;
  const startedAt = performance.now();
  const { code, out, err } = await runProgram(command.split(" "), { cwd: root, env: process.env });
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  tally[code === 0 ? "passed" : "failed"].push(name);
  console.log(code === 0 ? `ok    ${name} (${seconds} s)` : `FAIL  ${name} (${seconds} s)\n${(out + err).trimEnd()}\n      ${remedy}\n`);
}
finish("check", tally);
