import { expect, it } from "vitest";
import { writtenContext } from "../../../test/written-context.js";
import { additions } from "./search-index.js";

it("lets others have their turn while a page of 1 MiB is made a vector", async () => {
  const content = Array.from({ length: 130_000 }, (_, number) => `w${number.toString(36)}1`).join(" ");
  const context = writtenContext("ada", "long", { content });
  let turns = 0;
  const count = setInterval(() => turns++, 0);
  await additions("ada", [context]);
  clearInterval(count);
  expect(turns).toBeGreaterThan(1);
});
