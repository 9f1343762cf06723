import { preset } from "@periscope/vitest";

export default preset({ include: ["test/*.browser.test.ts"] });
