import { library } from "@periscope/tsup";

export default library({ index: "src/index.ts", openapi: "src/openapi/index.ts" });
