import { preset, randomInput } from "@periscope/vitest";

// Types are tests too: those of files that end in `.test-d.ts`.
export default preset({
  setupFiles: [randomInput],
  typecheck: { enabled: true, include: ["src/**/*.test-d.ts"], tsconfig: "tsconfig.json" },
});
