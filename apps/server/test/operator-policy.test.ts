import { expect, it, vi } from "vitest";
import { expectError } from "./answer-checks.js";
import { createMessage } from "./messages.js";
import { Installation } from "./server-process.js";

// Each test starts processes, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const onSite = (id: string, url: string, fields: Record<string, unknown> = {}) =>
  createMessage({ context: { id, tabMetadata: { id: "7", url, title: "A page" }, ...fields } });

it("PRIVACY_MINIMUM_LEVEL holds for every context, whatever its message asks for", async () => {
  await using installation = await Installation.create({ PRIVACY_MINIMUM_LEVEL: "filtered" });
  const server = await installation.serve();
  const client = await installation.client(() => server);
  for (const privacyLevel of ["public", "private", "filtered"]) {
    const { body } = await client.sync(onSite(privacyLevel, "https://articles.example/a", { privacyLevel }));
    expect(body).toMatchObject({ status: "success", privacyLevel: "filtered" });
    expect((await client.get(`/context/${privacyLevel}`)).body.privacyLevel).toBe("filtered");
  }
  const { body } = await client.sync(onSite("restricted", "https://articles.example/a", { privacyLevel: "restricted" }));
  expect(body.privacyLevel).toBe("restricted");
});

it("BLOCKED_SITES keeps a site and everything below it out, and nothing else", async () => {
  await using installation = await Installation.create({ BLOCKED_SITES: "blocked.example, partly.example/private" });
  const server = await installation.serve();
  const client = await installation.client(() => server);
  const blocked = ["https://blocked.example/", "https://deep.below.blocked.example/a?b", "https://partly.example/private/page"];
  for (const url of blocked) expectError(await client.sync(onSite("blocked", url)), "privacy_rejected");
  const allowed = ["https://notblocked.example/", "https://blocked.example.org/", "https://partly.example/public"];
  for (const [index, url] of allowed.entries()) expect((await client.sync(onSite(`allowed${index}`, url))).status).toBe(201);
  expect((await client.get("/context/blocked")).status).toBe(404);
  expect((await client.get("/context/history")).body.total).toBe(allowed.length);
});
