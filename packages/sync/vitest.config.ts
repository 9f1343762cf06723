import { preset, randomInput, testFiles } from "@periscope/vitest";

// What needs a browser is a project of its own: the others run everywhere.
export default preset({
  setupFiles: [randomInput],
  projects: [
    { extends: true, test: { name: "node", include: testFiles, exclude: ["**/*.browser.test.ts"] } },
    { extends: true, test: { name: "browser", include: ["src/**/*.browser.test.ts"] } },
    // The README's programs run as extensions of Chromium, whatever this says.
    {
      extends: true,
      test: {
        name: "firefox",
        include: ["src/content/**/*.browser.test.ts"],
        env: { CONTENT_BROWSER: "firefox" },
      },
    },
  ],
});
