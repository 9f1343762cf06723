import "./rows/row-meta.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setSyncStage, type SyncStage } from "./harness/sync-stage.ts";
import { extensionRows } from "./rows/extension.ts";

const only = process.env["E2E_ROWS"]?.split(",");

let stage: SyncStage;
beforeAll(async () => {
  stage = await setSyncStage();
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

const chosen = extensionRows.filter(({ fault }) => only === undefined || only.includes(fault));
test.for(chosen.map((row) => [`${row.fault}: ${row.injected}`, row] as const))("an extension, %s", async ([, row], { task }) => {
  const { kills } = stage.browser;
  const startedAt = performance.now();
  try {
    const audit = await row.run(stage);
    task.meta.row = {
      fault: row.fault,
      injected: row.injected,
      kills: stage.browser.kills - kills,
      ms: performance.now() - startedAt,
      ...audit,
    };
    expect(audit).toMatchObject({ losses: 0, duplicates: 0 });
  } finally {
    stage.proxy.reset();
    // A row that failed may have left it otherwise.
    await stage.browser.killWorker();
    if (stage.panel.isClosed()) stage.panel = await stage.browser.reopen("panel.html");
    const { browser } = stage.browser;
    for (const page of await browser.pages()) if (page.url().startsWith("http")) await page.close();
    await stage.panel.evaluate(() => window.sync.resume());
    await stage.empty();
  }
});
