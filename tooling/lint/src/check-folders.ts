import { fileURLToPath } from "node:url";
import { describeCycle, folderCycles } from "./folder-cycles.ts";

// Part of `pnpm lint`: arrows between the server's folders point one way.
const cycles = folderCycles(fileURLToPath(new URL("../../../apps/server/src", import.meta.url)));
for (const cycle of cycles) console.error(describeCycle(cycle));
if (cycles.length > 0) process.exitCode = 1;
