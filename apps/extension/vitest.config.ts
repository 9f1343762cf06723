import { preset } from "@periscope/vitest";

// What needs a browser is a project of its own: the others run everywhere.
export default preset({
  projects: [
    { extends: true, test: { name: "extension", include: ["src/**/*.test.ts", "build/*.test.ts"] } },
    { extends: true, test: { name: "browser", include: ["test/*.browser.test.ts"] } },
    // A browser is started three times, and the alarm of half a minute is waited for: that is longer than the preset has.
    { extends: true, test: { name: "firefox", include: ["test/*.firefox.test.ts"], testTimeout: 600_000 } },
  ],
});
