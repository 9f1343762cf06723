import { library } from "@periscope/tsup";

export default library({ index: "src/index.ts" });
