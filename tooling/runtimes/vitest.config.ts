import { deepFiles, preset } from "@periscope/vitest";

// What needs a browser is a project of its own: the others run everywhere.
export default preset({
  projects: [
    { extends: true, test: { name: "runtimes", include: ["src/*.test.ts"], exclude: ["src/*.browser.test.ts", ...deepFiles] } },
    { extends: true, test: { name: "browser", include: ["src/*.browser.test.ts"] } },
  ],
});
