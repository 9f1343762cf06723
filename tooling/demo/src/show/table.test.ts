import { expect, test } from "vitest";
import { renderTable } from "./table.ts";
import { fit, oneLine, widthOf, wrap } from "./text-width.ts";

test("numbers stand right, cells with lines make rows with lines", () => {
  expect(
    renderTable(
      [{ title: "#", align: "right" }, { title: "page" }],
      [
        ["1", "Title\nhttps://x.dev"],
        ["12", "Other"],
      ],
    ),
  ).toEqual([" #  page", "──  ─────────────", " 1  Title", "    https://x.dev", "12  Other"]);
});

test("a table too wide takes from the widest column that may give way, and fits", () => {
  const columns = [{ title: "a" }, { title: "b", minimum: 10 }, { title: "c", minimum: 10 }];
  const lines = renderTable(columns, [["fixed cell", "x".repeat(90), "日本語".repeat(10)]], 60);
  expect(lines.map(widthOf).every((width) => width <= 60)).toBe(true);
  expect(lines[2]).toMatch(/^fixed cell {2}x+… {2}(?:日本語)+/);
});

test("text is cut by columns, never inside a character, and steers no terminal", () => {
  expect(fit("日本語", 5)).toBe("日本…");
  expect(fit("🙂🙂🙂", 4)).toBe("🙂…");
  expect(widthOf("e\u0301")).toBe(1);
  expect(oneLine("a\u001b[31mred\u0007\n b")).toBe("ared b");
});

test("a snippet wraps at spaces, and the last line shows that there is more", () => {
  expect(wrap("one two three four five six", 9, 2)).toEqual(["one two", "three fo…"]);
  expect(wrap("unbreakable", 4, 9)).toEqual(["unbr", "eaka", "ble"]);
  expect(wrap("", 10, 2)).toEqual([]);
});
