import { readFileSync } from "node:fs";
import { UsageError } from "./failure.js";
import type { Terminal } from "./terminal.js";

/** Text of a file, `-` for standard input. Throws {@link UsageError} when it cannot be read. */
export async function readText(path: string, { input }: Terminal): Promise<string> {
  if (path === "-" && input) return await input();
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(code === "ENOENT" ? `There is no file ${path}.` : `${path} cannot be read (${code}).`);
  }
}

/** Another's text in quotes, with what a terminal would act upon escaped. */
export function printable(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
