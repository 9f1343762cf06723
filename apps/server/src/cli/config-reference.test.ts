import { expect, test } from "vitest";
import { readConfig } from "../config.js";
import { configReference, renderConfigurationPage, renderEnvExample } from "./config-reference.js";

// After a change of settings, `pnpm exec vitest run src/cli/config-reference.test.ts -u` writes both files anew.

test(".env.example is what the schema says", async () => {
  await expect(renderEnvExample()).toMatchFileSnapshot("../../.env.example");
});

test("docs/configuration.md is what the schema says", async () => {
  await expect(renderConfigurationPage()).toMatchFileSnapshot("../../../../docs/configuration.md");
});

test("the printed defaults are the real ones", () => {
  const printed = configReference().filter(({ computed }) => !computed);
  expect(readConfig(Object.fromEntries(printed.map(({ name, fallback }) => [name, fallback])))).toEqual(readConfig({}));
});
