import { program } from "@periscope/tsup";

// Two entries that share the core: the command, and what a server mounts.
export default program({ index: "src/index.ts", cli: "src/cli.ts" });
