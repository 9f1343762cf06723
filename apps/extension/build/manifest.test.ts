import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { browsers, manifestOf, oldest, optionalHosts, permissions } from "./manifest.ts";

const version = "1.2.3";

test.each(browsers)("%s: asks for listed permissions only, and stays out of private windows", (browser) => {
  const manifest = manifestOf({ browser, version });
  expect(manifest).toMatchObject({ manifest_version: 3, version, incognito: "not_allowed", optional_host_permissions: optionalHosts });
  expect(manifest["permissions"]).toEqual(Object.keys(permissions).filter((name) => name !== "offscreen" || browser !== "firefox"));
  // Only what is injected after consent runs in pages.
  for (const name of ["host_permissions", "content_scripts", "web_accessible_resources", "externally_connectable"])
    expect(manifest).not.toHaveProperty(name);
});

test("Chrome and Edge start a worker, Firefox a script; each says its oldest version", () => {
  expect(manifestOf({ browser: "edge", version })).toEqual(manifestOf({ browser: "chrome", version }));
  expect(manifestOf({ browser: "chrome", version })).toMatchObject({
    background: { service_worker: "background.js", type: "module" },
    minimum_chrome_version: oldest.chromium,
  });
  expect(manifestOf({ browser: "firefox", version })).toMatchObject({
    background: { scripts: ["background.js"], type: "module" },
    browser_specific_settings: {
      gecko: { strict_min_version: oldest.firefox, data_collection_permissions: { required: ["browsingActivity", "websiteContent"] } },
    },
  });
});

test("the README names every permission with the same reason", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  for (const [name, reason] of Object.entries(permissions)) expect(readme).toMatch(new RegExp(`\\| \`${name}\` +\\| ${reason} +\\|`));
});
