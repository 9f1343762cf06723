import { preset } from "@periscope/vitest";

// A row may hold a thousand kills, or wait for the browser's alarm of half a minute.
export default preset({ include: ["src/*.browser.test.ts"], testTimeout: 600_000, hookTimeout: 600_000 });
