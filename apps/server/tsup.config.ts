import { copyFile, cp } from "node:fs/promises";
import { program } from "@periscope/tsup";

const adapter = "@prisma/adapter-better-sqlite3";

export default program(
  {
    cli: "src/cli.ts",
    worker: "src/worker.ts",
  },
  {
    // As a dependency the adapter would bring better-sqlite3 12 beside our 13, which compiles for a minute on whoever installs the server.
    noExternal: [adapter, "@prisma/driver-adapter-utils"],
    onSuccess: async () => {
      // Its license must go where its code goes.
      await copyFile(`node_modules/${adapter}/LICENSE`, "dist/prisma-adapter-better-sqlite3.LICENSE");
      // As a dependency, Scalar would bring all that its bundle is made of.
      await copyFile("node_modules/@scalar/api-reference/dist/browser/standalone.js", "dist/scalar.js");
      await cp("node_modules/@periscope/portal/dist", "dist/portal", { recursive: true });
    },
  },
);
