import { preset } from "@periscope/vitest";

// Files share a process, and with it the server and the browser of `portal-test.ts`.
export default preset({ include: ["test/*.browser.test.ts", "test/*.deep.test.ts"] });
