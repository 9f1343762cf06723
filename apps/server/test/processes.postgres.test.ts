import { expect, it } from "vitest";
import { Installation } from "./server-process.js";

it("makes one first key, however many servers start at once on an empty database: one of them prints it", async () => {
  await using installation = await Installation.create();
  const servers = await Promise.all([installation.serve(), installation.serve(), installation.serve()]);
  expect(servers.filter(({ out }) => out.includes("psk_"))).toHaveLength(1);
  for (const what of ["users", "keys"]) expect(JSON.parse((await installation.run(what, "list", "--json")).out)).toHaveLength(1);
});
