import { preset, report } from "@periscope/vitest";
import { TableReporter } from "./src/table-reporter.ts";

// What needs a browser is a project of its own: the others run everywhere.
export default preset({
  reporters: ["default", report, new TableReporter()],
  projects: [
    { extends: true, test: { name: "harness", include: ["src/**/*.test.ts"], exclude: ["src/**/*.browser.test.ts"] } },
    // A row may hold a thousand kills, or wait for the browser's alarm of half a minute.
    { extends: true, test: { name: "browser", include: ["src/**/*.browser.test.ts"], testTimeout: 600_000, hookTimeout: 600_000 } },
  ],
});
