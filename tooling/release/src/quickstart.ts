import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findMcpProblem } from "./mcp-answers.ts";
import { startServer } from "./readme/started-server.ts";
import { runCommand } from "./run-command.ts";

const tsconfig = {
  compilerOptions: {
    target: "ES2024",
    lib: ["ES2024", "DOM", "DOM.Iterable"],
    module: "NodeNext",
    strict: true,
    exactOptionalPropertyTypes: true,
    // The declarations of the packages as well: what they need must be there.
    skipLibCheck: false,
    types: [],
    noEmit: true,
  },
  files: ["first-lines.ts"],
};

/**
 * What goes wrong with the first lines of the client's README in a project that has the packages installed: as TypeScript, with its types
 * checked, and as JavaScript, each in Node 24 and Node 22 against the installed server; and with its MCP command. Nothing when they work.
 */
export async function findQuickstartProblem(root: string, project: string): Promise<string | undefined> {
  const readme = await readFile(join(root, "packages", "client", "README.md"), "utf8");
  const lines = /^```ts\n(.*?)^```$/ms.exec(readme)?.[1];
  if (lines === undefined) return "The client's README has no snippet.";
  const program = `${lines}console.log("the current context:", context);\n`;
  await writeFile(join(project, "first-lines.ts"), `${program}const title: string | undefined = context?.title;\nconsole.log(title);\n`);
  await writeFile(join(project, "first-lines.mjs"), program);
  await writeFile(join(project, "tsconfig.json"), JSON.stringify(tsconfig));

  const environment = { ...process.env, PORT: "0", HOST: "127.0.0.1", PERISCOPE_DATA_DIR: join(project, "quickstart-data") };
  await using server = await startServer("npx --no-install periscope serve", { cwd: project, environment, timeoutMs: 60_000 });
  const client = { ...process.env, PERISCOPE_BASE_URL: server.address, PERISCOPE_API_KEY: server.key };
  // The older of the two versions that the client is promised for.
  const node22 = join(root, "tooling", "runtimes", "node_modules", "node-22", "bin", "node");
  for (const command of [
    ["node", join(root, "node_modules", "typescript", "bin", "tsc"), "-p", "tsconfig.json"],
    ["node", "first-lines.ts"],
    ["node", "first-lines.mjs"],
    [node22, "first-lines.ts"],
    [node22, "first-lines.mjs"],
  ]) {
    const { status, output } = await runCommand(command, { cwd: project, environment: client });
    const said = command.length > 2 || output.includes("the current context: null");
    if (status !== 0 || !said) return `${command.join(" ")}, with the first lines of the client's README:\n${output}`;
  }
  return await findMcpProblem({ cwd: project, environment: client });
}
