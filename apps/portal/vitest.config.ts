import { preset } from "@periscope/vitest";

// Each test starts a server and a browser of its own, which a busy machine takes long for.
export default preset({ include: ["test/*.browser.test.ts"], testTimeout: 300_000 });
