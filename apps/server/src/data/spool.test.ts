import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import { expect, it } from "vitest";
import { Spool } from "./spool.js";

it("says that the data directory cannot be written", async () => {
  await using directory = await temporaryDirectory("periscope-spool-");
  const file = join(directory.path, "file");
  writeFileSync(file, "");
  await expect(Spool.create(join(file, "data"))).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("PERISCOPE_DATA_DIR"),
  });
});
