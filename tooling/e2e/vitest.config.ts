import { preset } from "@periscope/vitest";

// What needs a browser is a project of its own: the others run everywhere.
export default preset({
  projects: [
    { extends: true, test: { name: "harness", include: ["src/**/*.test.ts"], exclude: ["src/**/*.browser.test.ts"] } },
    { extends: true, test: { name: "browser", include: ["src/**/*.browser.test.ts"] } },
  ],
});
