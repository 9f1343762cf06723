import { library } from "@periscope/tsup";

export default library({ cli: "src/cli.ts" }, { platform: "node" });
