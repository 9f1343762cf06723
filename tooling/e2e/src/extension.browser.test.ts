import { changeDatabase } from "./harness/raw-data.ts";
import { setSyncStage } from "./harness/stage.ts";
import { extensionRows } from "./rows/extension.ts";
import { testRows } from "./test-rows.ts";
import { visitRows } from "./rows/visits.ts";

testRows({
  prefix: "an extension, ",
  rows: [...extensionRows, ...visitRows],
  setStage: () => setSyncStage(),
  play: (row, stage) => row.run(stage),
  async restore(stage) {
    stage.proxy.reset();
    if (!stage.browser.browser.connected) await stage.relaunch();
    // A row may have left it suspended.
    await stage.browser.killWorker();
    if (stage.panel.isClosed()) stage.panel = await stage.browser.reopen("panel.html");
    for (const page of await stage.browser.browser.pages())
      // The blank page holds the line by which workers are killed.
      if (page !== stage.panel && page.url() !== "about:blank") await page.close();
    await stage.panel.evaluate(() => window.sync.resume());
    await stage.empty();
    // The next row need not wait for its site's turn.
    await changeDatabase(stage.panel, "periscope-sync", [{ table: "state", delete: "turns" }]);
  },
});
