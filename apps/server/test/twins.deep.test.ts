import { expect, it, vi } from "vitest";
import { expectSame, expectSamePages, expectSameTools, readPaths, startTwins } from "./twins.js";

vi.setConfig({ testTimeout: 900_000 });

it.each(["public", "private"] as const)(
  "a key limited to %s reads 6,000 contexts as if 5,000 hidden ones had never been",
  async (level) => {
    await using twins = await startTwins(level, { visible: 6_000, hidden: 5_000 });
    const { limited, twin, unlimited } = twins;
    for (const path of readPaths()) {
      await expectSame(limited, twin, (client) => client.get(path), path);
      if (path.includes("/search?")) await expectSame(limited, unlimited, (client) => client.get(path), path);
    }
    await expectSamePages(limited, twin, 200);
    await expectSameTools(limited, twin);
    expect((await limited.get("/context/search?urlPattern=si")).body).toMatchObject({ total: 6_000, totalIsExact: true });
  },
);
