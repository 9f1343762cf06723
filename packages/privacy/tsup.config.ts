import { library } from "@periscope/tsup";

export default library();
