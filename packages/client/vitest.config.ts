import { preset } from "@periscope/vitest";

// Types are tests too: those of files that end in `.test-d.ts`.
export default preset({ typecheck: { enabled: true, include: ["src/**/*.test-d.ts"], tsconfig: "tsconfig.json" } });
