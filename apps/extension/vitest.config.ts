import { preset } from "@periscope/vitest";

// What needs a browser is a project of its own: the others run everywhere.
export default preset({
  projects: [
    { extends: true, test: { name: "extension", include: ["src/**/*.test.ts", "build/*.test.ts"] } },
    { extends: true, test: { name: "browser", include: ["test/*.browser.test.ts"] } },
  ],
});
