import { expect, test } from "vitest";
import { memoryStorage } from "../../test/memory-storage.js";
import { createInstallationId } from "./installation-id.js";

test("names the browser and keeps one id, also when it is asked for twice at once", async () => {
  const storage = memoryStorage();
  const installationId = createInstallationId(storage, "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0");
  const [one, other] = await Promise.all([installationId(), installationId()]);
  expect(one).toMatch(/^firefox-[0-9a-f]{8}$/);
  expect(other).toBe(one);
  expect(await createInstallationId(storage, "Firefox/141.0")()).toBe(one);
});

test("asks the storage again after it failed", async () => {
  const storage = memoryStorage();
  let fails = true;
  const get = async (keys: string[]) => (fails ? Promise.reject(new Error("The disk is full.")) : await storage.local.get(keys));
  const installationId = createInstallationId({ local: { ...storage.local, get } }, "Chrome/140.0");
  await expect(installationId()).rejects.toThrow("The disk is full.");
  fails = false;
  expect(await installationId()).toMatch(/^chrome-/);
});
