import { expect, test } from "vitest";
import { gzipBytesOf } from "./bundle-size.ts";

test("counts what the bundle weighs after gzip", async () => {
  const small = await gzipBytesOf("export const one = 1;", import.meta.dirname);
  const noise = Array.from({ length: 2_000 }, (_, index) => Math.sin(index).toString(36)).join("");
  const large = await gzipBytesOf(`export const noise = ${JSON.stringify(noise)};`, import.meta.dirname);
  expect(small).toBeLessThan(100);
  expect(large).toBeGreaterThan(small + 5_000);
});
