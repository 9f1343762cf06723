import { preset } from "@periscope/vitest";

export default preset();
