import { beforeAll, describe, expect, test } from "vitest";
import { type Complaint, lintTree } from "./lint-tree.ts";

/** A file that breaks a rule, and what the linter must say about it. */
interface Offence {
  rule: string;
  file: string;
  text: string;
}

const work = "declare function work(): Promise<boolean>;\n";

const offences: Offence[] = [
  { rule: "typescript(no-floating-promises)", file: "packages/a/src/floating.ts", text: `${work}work();\nexport const done = 1;\n` },
  {
    rule: "typescript(no-misused-promises)",
    file: "packages/a/src/misused.ts",
    text: `${work}if (work()) throw new Error("no");\nexport const done = 1;\n`,
  },
  { rule: "typescript(await-thenable)", file: "packages/a/src/thenable.ts", text: "export const one = await 1;\n" },
  {
    rule: "typescript(return-await)",
    file: "packages/a/src/unawaited.ts",
    text: `${work}export async function f(): Promise<boolean> {\n  try {\n    return work();\n  } catch {\n    return false;\n  }\n}\n`,
  },
  {
    rule: "typescript(switch-exhaustiveness-check)",
    file: "packages/a/src/exhaustive.ts",
    text: 'export function f(kind: "a" | "b"): void {\n  switch (kind) {\n    case "a":\n      break;\n  }\n}\n',
  },
  {
    rule: "typescript(consistent-type-imports)",
    file: "packages/a/src/type-import.ts",
    text: 'import { Server } from "./server.js";\nexport type Held = Server;\n',
  },
  { rule: "typescript(no-explicit-any)", file: "packages/a/src/any.ts", text: "export const value: any = 1;\n" },
  { rule: "eslint(no-console)", file: "packages/a/src/console.ts", text: 'console.log("hello");\nexport const done = 1;\n' },
  { rule: "node(no-process-env)", file: "apps/server/src/http/env.ts", text: "export const port = process.env.PORT;\n" },
  {
    rule: "eslint(max-params)",
    file: "packages/a/src/params.ts",
    text: "export const f = (a: 1, b: 1, c: 1, d: 1, e: 1) => [a, b, c, d, e];\n",
  },
  { rule: "unicorn(filename-case)", file: "packages/a/src/camelCase.ts", text: "export const done = 1;\n" },
  { rule: "oxc(no-barrel-file)", file: "packages/a/src/star.ts", text: 'export * from "./any.js";\n' },
  { rule: "import(no-self-import)", file: "packages/a/src/self.ts", text: 'import { one } from "./self.js";\nexport const two = one;\n' },
  { rule: "import(no-default-export)", file: "packages/a/src/unnamed.ts", text: "export default 1;\n" },
  {
    rule: "Unused oxlint-disable directive (no problems were reported).",
    file: "packages/a/src/directive.ts",
    text: "// oxlint-disable-next-line no-console\nexport const done = 1;\n",
  },
];

const allowed: Record<string, string> = {
  "apps/server/src/config/config.ts": "export const environment = process.env;\n",
  "apps/server/src/cli.ts": 'console.log(process.env["PATH"]);\nexport const done = 1;\n',
  "tooling/a/src/main.ts": 'console.log(process.env["CI"]);\nexport const done = 1;\n',
  "packages/a/src/plain.test.ts": "export const body: any = process.env;\n",
  "packages/a/tsup.config.ts": "export default {};\n",
  "packages/a/src/named.ts": 'export { one } from "./thenable.js";\n',
};

let complaints: Complaint[] = [];

beforeAll(async () => {
  complaints = await lintTree({ ...Object.fromEntries(offences.map(({ file, text }) => [file, text])), ...allowed });
});

describe("a file that breaks a rule is named", () => {
  test.each(offences)("$rule", ({ rule, file }) => {
    expect(complaints.filter((complaint) => complaint.file === file).map((complaint) => complaint.rule)).toContain(rule);
  });
});

describe("where a rule does not hold, nothing is said", () => {
  test.each(Object.keys(allowed))("%s", (file) => {
    expect(complaints.filter((complaint) => complaint.file === file)).toEqual([]);
  });
});
