import { program } from "@periscope/tsup";

export default program({ cli: "src/cli.ts" });
