import { preset, randomInput } from "@periscope/vitest";

export default preset({ setupFiles: [randomInput] });
