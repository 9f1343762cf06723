import { type ClientOptions, QueueClient } from "./harness/queue-client.ts";
import { setStage } from "./harness/stage.ts";
import { rows } from "./rows/index.ts";
import { testRows } from "./rows/test-rows.ts";

// A mistake in the queue, to see which rows find it.
const mutation = process.env["E2E_MUTATION"];

testRows({
  rows,
  setStage,
  play: (row, stage) =>
    row.run({
      stage,
      client: (options: Partial<ClientOptions> = {}) =>
        new QueueClient(stage, { row: row.fault, ...(mutation !== undefined && { mutation }), ...options }),
    }),
  async restore(stage) {
    if (!stage.browser.browser.connected) await stage.relaunch();
    if (stage.driver.isClosed()) stage.driver = await stage.browser.reopen("driver.html");
    stage.proxy.reset();
  },
});
