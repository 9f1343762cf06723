import { expect, test } from "vitest";
import { askedPages } from "./recording-filter.js";

const asked = { tabId: "7", url: "https://diary.example/today", type: "selection" };

test("keeps only what is asked for, and only while it is asked for", async () => {
  const pages = askedPages();
  expect(pages.covers(asked)).toBe(false);
  const failing = pages.during(asked, async () => {
    expect(pages.covers({ ...asked, url: "https://diary.example/tomorrow" })).toBe(true);
    for (const other of [{ type: "page" }, { tabId: "8" }, { url: "https://other.example/today" }])
      expect(pages.covers({ ...asked, ...other })).toBe(false);
    // Pressed once more: the first answer does not end it for the second.
    await pages.during({ ...asked }, async () => {});
    expect(pages.covers(asked)).toBe(true);
    throw new Error("The page is gone.");
  });
  await expect(failing).rejects.toThrow("gone");
  expect(pages.covers(asked)).toBe(false);
});
