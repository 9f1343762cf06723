import { copyFile } from "node:fs/promises";
import { program } from "@periscope/tsup";

const adapter = "@prisma/adapter-better-sqlite3";

export default program(
  {
    cli: "src/cli.ts",
    "search-worker": "src/storage/sqlite/search-worker.ts",
    worker: "src/workers/worker.ts",
  },
  {
    // As a dependency the adapter would bring better-sqlite3 12 beside our 13, which compiles for a minute on whoever installs the server.
    noExternal: [adapter, "@prisma/driver-adapter-utils"],
    // Its license asks to go where its code goes.
    onSuccess: () => copyFile(`node_modules/${adapter}/LICENSE`, "dist/prisma-adapter-better-sqlite3.LICENSE"),
  },
);
