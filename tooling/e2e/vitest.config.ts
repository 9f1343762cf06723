import { preset } from "@periscope/vitest";

// A row may hold a hundred and fifty kills, or send thousands of messages.
export default preset({ include: ["src/*.browser.test.ts"], testTimeout: 600_000, hookTimeout: 600_000 });
