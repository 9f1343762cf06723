import { type ClientOptions, QueueClient } from "./harness/queue-client.ts";
import { setStage } from "./harness/stage.ts";
import { rows } from "./rows/matrix.ts";
import { testRows } from "./test-rows.ts";

testRows({
  rows,
  setStage,
  play: (row, stage) =>
    row.run({
      stage,
      client: (options: Partial<ClientOptions> = {}) => new QueueClient(stage, { row: row.fault, ...options }),
    }),
  async restore(stage) {
    if (!stage.browser.browser.connected) await stage.relaunch();
    if (stage.driver.isClosed()) stage.driver = await stage.browser.reopen("driver.html");
    stage.proxy.reset();
  },
});
