import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Column, renderTable } from "@periscope/harness/old-table";
import { build } from "esbuild";
import { chromium, type Page } from "playwright-core";
import type { BenchmarkInput } from "../benchmarks.ts";
import { thisMachine } from "../measure/machine.ts";
import { median } from "../measure/stats.ts";
import { writeResults } from "../results.ts";
import { type Expected, plainOf, type Score, scoreOf } from "./compare.ts";
import type { Extracted } from "./page-program.ts";

const usage = `Usage: pnpm bench content --pages DIR
  --pages DIR       folder of test pages, each a folder with source.html and expected.html: test/test-pages of
                    https://github.com/mozilla/readability
CHROMIUM_PATH names the browser (/usr/bin/chromium).`;

/** What is measured, as called in the page. */
const sides = {
  "capture (default)": "capture(false)",
  "capture (whole)": "capture(true)",
  innerText: "innerText()",
  Readability: "readability()",
  defuddle: "defuddle()",
} as const;
type Side = keyof typeof sides;
type Measured = Score & { side: Side; name: string; ms: number; elements: number };

/** What captures keep of articles that were marked by hand, beside `innerText`, Readability and defuddle in the same pages. */
export async function runContentBenchmark({ args, signal, print }: BenchmarkInput): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { pages: { type: "string" } } });
  const folder = values.pages;
  if (folder === undefined) throw new Error(usage);
  const names = readdirSync(folder).toSorted();
  const script = await bundle();
  const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const drawn = await browser.newPage();
    const measured: Measured[] = [];
    let code = 0;
    let rows = 0;
    for (const name of names) {
      signal.throwIfAborted();
      const read = (file: string) => readFileSync(join(folder, name, file), "utf8");
      const expected = await drawAndRead(drawn, read("expected.html"));
      code += expected.code.length;
      rows += expected.rows.length;
      for (const side of Object.keys(sides) as Side[]) {
        const { elements, ...extracted } = await extract(
          await browser.newPage(),
          read("source.html"),
          `${script}; return await program.${sides[side]}`,
        );
        const { html, markdown, ms } = extracted;
        const text = html !== undefined ? (await drawAndRead(drawn, html)).text : (extracted.text ?? plainOf(markdown ?? ""));
        measured.push({ side, name, ms, elements, ...scoreOf(expected, { text, ...(markdown !== undefined && { markdown }) }) });
      }
    }
    const table = (Object.keys(sides) as Side[]).map((side) =>
      rowOf(
        side,
        measured.filter((each) => each.side === side),
        { code, rows },
      ),
    );
    print(`\n${names.length} pages\n${renderTable(columns, table).join("\n")}\n`);
    const low = measured.filter(({ side, recall }) => side === "capture (default)" && recall < 0.5);
    print(`Recall under .5 by default: ${low.map(({ name, recall }) => `${name} (${recall.toFixed(2)})`).join(", ") || "none"}`);
    const machine = { ...thisMachine(), browser: `Chromium ${browser.version()}` };
    print(`Written to ${writeResults("content", { at: new Date(), machine, code, rows, measured })}`);
  } finally {
    await browser.close();
  }
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "page-program.ts")],
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    logLevel: "error",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

/** Opens a page as its address would answer it, with nothing else to be had, and runs something in a world beside that of its scripts. */
async function extract(page: Page, source: string, body: string): Promise<Extracted & { elements: number }> {
  try {
    const address = "http://fakehost.test/test/page.html";
    await page.route("**/*", async (route) =>
      route.request().url() === address
        ? await route.fulfill({ body: source, contentType: "text/html; charset=utf-8" })
        : await route.abort(),
    );
    await page.goto(address, { waitUntil: "domcontentloaded", timeout: 0 });
    const session = await page.context().newCDPSession(page);
    const { frameTree } = await session.send("Page.getFrameTree");
    const world = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
    const expression = `(async () => { const elements = document.getElementsByTagName("*").length; const run = async () => { ${body} }; return { elements, ...await run() }; })()`;
    const options = { contextId: world.executionContextId, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", { expression, ...options });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as Extracted & { elements: number };
  } finally {
    await page.close();
  }
}

async function drawAndRead(page: Page, html: string): Promise<Expected> {
  await page.setContent(html, { waitUntil: "domcontentloaded" });
  return await page.evaluate(() => {
    const textOf = (element: Element) => element.textContent ?? "";
    const isRow = ({ cells }: HTMLTableRowElement) =>
      cells.length > 1 &&
      Array.from(cells).every((cell) => cell.textContent.trim() !== "" && cell.querySelector("table,ul,ol,pre") === null);
    return {
      text: document.body.innerText,
      code: Array.from(document.querySelectorAll("pre"), textOf).filter((text) => text.trim() !== ""),
      rows: Array.from(document.querySelectorAll("tr"))
        .filter(isRow)
        .map(({ cells }) => Array.from(cells, textOf)),
    };
  });
}

const right = (title: string): Column => ({ title, align: "right" });
const columns: Column[] = [
  { title: "side" },
  right("recall, mean"),
  right("lowest"),
  right("pages under .5"),
  right("precision, mean"),
  right("median"),
  right("code fenced"),
  right("rows on a line"),
  right("ms, median"),
  right("most"),
];

function rowOf(side: Side, all: readonly Measured[], { code, rows }: { code: number; rows: number }): string[] {
  const mean = (take: (each: Measured) => number) => (all.reduce((sum, each) => sum + take(each), 0) / all.length).toFixed(3);
  const sum = (take: (each: Measured) => number) => all.reduce((total, each) => total + take(each), 0);
  return [
    side,
    mean(({ recall }) => recall),
    Math.min(...all.map(({ recall }) => recall)).toFixed(2),
    String(all.filter(({ recall }) => recall < 0.5).length),
    mean(({ precision }) => precision),
    median(all.map(({ precision }) => precision)).toFixed(3),
    `${sum(({ fenced }) => fenced)} of ${code}`,
    `${sum(({ rows }) => rows)} of ${rows}`,
    median(all.map(({ ms }) => ms)).toFixed(0),
    Math.max(...all.map(({ ms }) => ms)).toFixed(0),
  ];
}
