import { built, preset, randomInput } from "@periscope/vitest";

export default preset({ setupFiles: [randomInput], globalSetup: built });
