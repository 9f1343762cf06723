import { afterAll, beforeAll, expect, test } from "vitest";
import type { Audit } from "./harness/ledger.ts";
import { type ClientOptions, QueueClient } from "./harness/queue-client.ts";
import { setStage, setSyncStage, type Stage } from "./harness/stage.ts";
import { extensionRows } from "./rows/extension.ts";
import { rows } from "./rows/matrix.ts";

// A matrix that finds nothing in a queue with a mistake finds nothing at all. Node runs the same mistakes through its own scenarios
// (packages/sync/test/mutations.ts); here are those that it takes a browser to find, and in a deep run one for each row that names one.
const isAll = process.env["TEST_DEEP"] === "1";
const inBrowserOnly = ["F14", "F24", "F16"];
const chosen = rows.filter(({ fault, mutation }) => mutation !== undefined && (isAll || inBrowserOnly.includes(fault)));

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

/** Whether a row found something; a row that could not even be played has found nothing. */
async function isFound(play: () => Promise<Audit>): Promise<boolean> {
  try {
    const { losses, duplicates } = await play();
    return losses + duplicates > 0;
  } catch (error) {
    if ((error as Error).name === "AssertionError" || /^The queue counts|^Something still waits/.test((error as Error).message))
      return true;
    throw error;
  }
}

test.for(chosen.map((row) => [row.fault, row.mutation ?? "", row] as const))("%s finds a queue that %s", async ([, mutation, row]) => {
  try {
    const client = (options: Partial<ClientOptions> = {}) => new QueueClient(stage, { row: `${row.fault}-bad`, mutation, ...options });
    expect(await isFound(() => row.run({ stage, client }))).toBe(true);
  } finally {
    stage.proxy.reset();
    for (const page of await stage.browser.browser.pages())
      if (page !== stage.driver && page.url().includes("driver.html")) await page.close();
  }
});

test("F27 finds a background that makes its alarm anew at each start", async () => {
  await using bad = await setSyncStage({ remakesAlarm: true });
  const row = extensionRows.find(({ fault }) => fault === "F27");
  expect(await isFound(async () => (await row?.run(bad)) ?? { messages: 0, losses: 0, duplicates: 0 })).toBe(true);
});
