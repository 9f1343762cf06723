import { setSyncStage } from "./harness/sync-stage.ts";
import { extensionRows } from "./rows/extension.ts";
import { testRows } from "./rows/test-rows.ts";

testRows({
  prefix: "an extension, ",
  rows: extensionRows,
  setStage: () => setSyncStage(),
  play: (row, stage) => row.run(stage),
  async restore(stage) {
    stage.proxy.reset();
    if (!stage.browser.browser.connected) await stage.relaunch();
    await stage.browser.killWorker();
    if (stage.panel.isClosed()) stage.panel = await stage.browser.reopen("panel.html");
    const { browser } = stage.browser;
    for (const page of await browser.pages()) if (page.url().startsWith("http")) await page.close();
    await stage.panel.evaluate(() => window.sync.resume());
    await stage.empty();
  },
});
