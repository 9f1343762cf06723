import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readConfig } from "../src/config/config.js";
import { expectError } from "./answer-checks.js";
import { createMessage } from "./messages.js";
import { TestServer } from "./test-server.js";

const onSite = (id: string, url: string, fields: Record<string, unknown> = {}) =>
  createMessage({ context: { id, tabMetadata: { id: "7", url, title: "A page" }, ...fields } });

/** A server in this process, with the policy that the settings come to. */
const serverWith = (settings: Record<string, string>) => TestServer.start({ privacyPolicy: readConfig(settings).privacyPolicy });

it("PRIVACY_POLICY_FILE adds categories, kinds and patterns", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "periscope-policy-"));
  const file = join(folder.path, "policy.json");
  const policy = {
    blockedSites: ["blocked.example"],
    categories: {
      banking: { level: "restricted", sites: ["union.example"] },
      recipes: { level: "filtered", sites: ["wiki.example/recipes"] },
    },
    detectorsOff: ["iban"],
    detectorsOn: ["email"],
    patterns: [{ kind: "parcel", pattern: "PCL-[0-9]{6}", from: "public" }],
  };
  writeFileSync(file, JSON.stringify(policy));
  await using server = await serverWith({ PRIVACY_POLICY_FILE: file, BLOCKED_SITES: "also.example", PRIVACY_MINIMUM_LEVEL: "private" });
  const client = await server.client();
  const level = async (url: string) => {
    const { body } = await client.sync(onSite("page", url, { id: undefined, privacyLevel: "public" }));
    return [body.privacyLevel, ...body.reasons];
  };
  expect(await level("https://my.union.example/")).toEqual(["restricted", "category:banking"]);
  expect(await level("https://wiki.example/recipes/7")).toEqual(["filtered", "category:recipes"]);
  expect(await level("https://wiki.example/")).toEqual(["private", "operator:minimum"]);
  for (const site of ["blocked.example", "also.example"])
    expectError(await client.sync(onSite("blocked", `https://${site}/`)), "privacy_rejected");
  const content = "PCL-123456 of jo@mail.example, DE89 3704 0044 0532 0130 00";
  await client.sync(onSite("text", "https://articles.example/", { content, privacyLevel: "private" }));
  expect((await client.get("/context/text")).body.content).toBe("[REDACTED:parcel] of [REDACTED:email], DE89 3704 0044 0532 0130 00");
});
