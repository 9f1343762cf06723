import "./rows/row-meta.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ClientOptions, QueueClient } from "./harness/queue-client.ts";
import { setStage, type Stage } from "./harness/stage.ts";
import { rows } from "./rows/index.ts";

// Rows by number, to look at a few of them; and a mistake in the queue, to see which rows find it.
const only = process.env["E2E_ROWS"]?.split(",");
const mutation = process.env["E2E_MUTATION"];

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

const chosen = rows.filter(({ fault }) => only === undefined || only.includes(fault));
test.for(chosen.map((row) => [`${row.fault}: ${row.injected}`, row] as const))("%s", async ([, row], { task }) => {
  const { kills } = stage.browser;
  const startedAt = performance.now();
  const client = (options: Partial<ClientOptions> = {}) =>
    new QueueClient(stage, { row: row.fault, ...(mutation !== undefined && { mutation }), ...options });
  try {
    const audit = await row.run({ stage, client });
    task.meta.row = {
      fault: row.fault,
      injected: row.injected,
      kills: stage.browser.kills - kills,
      ms: performance.now() - startedAt,
      ...audit,
    };
    expect(audit).toMatchObject({ losses: 0, duplicates: 0 });
  } finally {
    // A row that failed may have left it otherwise.
    if (!stage.browser.browser.connected) await stage.relaunch();
    if (stage.driver.isClosed()) stage.driver = await stage.browser.reopen("driver.html");
    stage.proxy.reset();
  }
});
