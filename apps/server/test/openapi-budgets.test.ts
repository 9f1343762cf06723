import { expect, test } from "vitest";
import { readConfig } from "../src/config/config.js";
import { budgets } from "../src/http/openapi-operation.js";

test("the document's rate budgets are the defaults of the settings", () => {
  const { anonymous: _anonymous, ...defaults } = readConfig({}).rateLimits;
  expect(Object.fromEntries(Object.entries(budgets).map(([key, { perMinute }]) => [key, perMinute]))).toEqual(defaults);
});
