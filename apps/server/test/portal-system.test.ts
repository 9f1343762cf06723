import { expect, test as plain } from "vitest";
import { readConfig } from "../src/config/config.js";
import { PortalClient } from "./portal-client.js";
import { withOwnServer as test } from "./test-server.js";

test("shows the owner how the server runs", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, { name: "Ada", email: "ada@example.org", password: "correct horse battery" });
  const { data } = await browser.query("system.overview");
  expect(data).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    findings: expect.arrayContaining([{ isOk: true, text: expect.stringContaining("can be read and written") }]),
    settings: [{ name: "PORT", value: "0", source: "flag" }],
  });
  expect(await new PortalClient(server).query("system.overview")).toMatchObject({ status: 401 });
});

plain("says where each setting came from, and shows no secret", () => {
  const { settings } = readConfig({ PORT: "4000", DATABASE_URL: "postgres://ada:hunter2@db.example/periscope" }, { host: "127.0.0.1" });
  expect(settings).toEqual(
    expect.arrayContaining([
      { name: "PORT", value: "4000", source: "environment" },
      { name: "HOST", value: "127.0.0.1", source: "flag" },
      { name: "SIGN_UP", value: "closed", source: "default" },
    ]),
  );
  expect(JSON.stringify(settings)).not.toContain("hunter2");
});
