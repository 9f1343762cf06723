import { afterAll, beforeAll, expect, test } from "vitest";
import { QueueClient } from "./harness/queue-client.ts";
import { setStage, type Stage } from "./harness/stage.ts";
import { rows } from "./rows/index.ts";

// A matrix that finds nothing in a queue with a mistake finds nothing at all. Node runs the same mistakes through its own scenarios
// (packages/sync/test/mutations.ts); here are those that it takes a browser to find, or with E2E_MUTATIONS=all one for each row that names one.
const isAll = process.env["E2E_MUTATIONS"] === "all";
const inBrowserOnly = ["F14", "F24", "F16"];
const chosen = rows.filter(({ fault, mutation }) => mutation !== undefined && (isAll || inBrowserOnly.includes(fault)));

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

test.for(chosen.map((row) => [row.fault, row.mutation ?? "", row] as const))("%s finds a queue that %s", async ([, mutation, row]) => {
  try {
    const audit = await row.run({ stage, client: (options) => new QueueClient(stage, { row: `${row.fault}-bad`, mutation, ...options }) });
    expect(audit.losses + audit.duplicates, "nothing was found").toBeGreaterThan(0);
  } catch (error) {
    expect((error as Error).message).not.toMatch(/nothing was found|not within|There is no mutation/);
  } finally {
    stage.proxy.reset();
    for (const page of await stage.browser.browser.pages()) if (page !== stage.driver) await page.close();
  }
});
