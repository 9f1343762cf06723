import { program } from "@periscope/tsup";

// Three entries that share the core: the command, what a server mounts, and the source over HTTP, which alone loads the client.
export default program({ index: "src/index.ts", cli: "src/cli.ts", "client-source": "src/client-source.ts" });
