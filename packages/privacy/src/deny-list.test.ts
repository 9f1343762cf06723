import { expect, test } from "vitest";
import { redactText } from "./index.js";

const policy = { denyList: ["Ada Example", "12 Main Street", "Jürgen", "山田 太郎", "Ada Example", " "] };
const filtered = (text: string): string => redactText(text, "filtered", { policy }).text;

test("the user's names and addresses go, whatever their case and white space", () => {
  expect(filtered("ADA example lives at 12 main\nstreet.")).toBe("[REDACTED:denied] lives at [REDACTED:denied].");
  expect(filtered("JÜRGEN und Jürgens")).toBe("[REDACTED:denied] und Jürgens");
  expect(filtered("担当: 山田 太郎。")).toBe("担当: [REDACTED:denied]。");
});

test("they are found in addresses, names of files and lists, too", () => {
  expect(filtered("https://social.example/in/ada-example-99 and ada_example.pdf")).not.toMatch(/ada/i);
  expect(filtered("Example, Ada; ADA.EXAMPLE; Ada  \n  Example")).toBe("Example, Ada; [REDACTED:denied]; [REDACTED:denied]");
  expect(filtered(`Ada${" ".repeat(40)}Example`)).toContain("Ada");
});

test("only whole words, and only from filtered on", () => {
  expect(filtered("Ada Examples, xAda Example")).toBe("Ada Examples, xAda Example");
  expect(redactText("Ada Example", "private", { policy }).text).toBe("Ada Example");
});
