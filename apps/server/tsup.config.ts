import { program } from "@periscope/tsup";

export default program({ cli: "src/cli.ts", "search-worker": "src/storage/sqlite/search-worker.ts" });
