import { expect, it, vi } from "vitest";
import { expectSamePages, expectSameReads, expectSameTools, startTwins } from "./twins.js";

vi.setConfig({ testTimeout: 900_000 });

it.each(["public", "private"] as const)(
  "a key limited to %s reads 6,000 contexts as if 5,000 hidden ones had never been",
  async (level) => {
    await using twins = await startTwins(level, { visible: 6_000, hidden: 5_000 });
    expect((await expectSameReads(twins)).total).toBe(6_000);
    await expectSamePages(twins, 200);
    await expectSameTools(twins);
    expect((await twins.limited.get("/context/search?urlPattern=si")).body).toMatchObject({ total: 6_000, totalIsExact: true });
  },
);
