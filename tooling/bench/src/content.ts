import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { launchChromium } from "@periscope/harness/chromium";
import { renderTable } from "@periscope/harness/table";
import type { Page } from "puppeteer-core";
import { bundleProgram, evaluateIsolated } from "./browser.ts";
import { median, readOptions, writeResults } from "./measure.ts";
import type { Extracted } from "./content-page.ts";

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

/** What an article consists of, as somebody marked it. */
interface Expected {
  text: string;
  /** Text of each block of code. */
  code: string[];
  /** Cells of each row of a table. */
  rows: string[][];
}

/** How much of an article a side has, and how much of what it has is of the article. */
interface Score {
  recall: number;
  precision: number;
  /** Blocks of code that are fenced. */
  fenced: number;
  /** Rows of tables that stand on one line. */
  rows: number;
}

type Measured = Score & { side: Side; name: string; ms: number };

/** What captures keep of articles that were marked by hand, beside `innerText`, Readability and defuddle in the same pages. */
export async function runContentBenchmark(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = readOptions({ args, defaults: { pages: "" }, usage });
  if (values.pages === "") throw new Error(usage);
  const names = readdirSync(values.pages).toSorted();
  const program = await bundleProgram();
  await using browser = await launchChromium();
  const reader = await browser.newPage();
  const measured: Measured[] = [];
  let [code, rows] = [0, 0];
  for (const name of names) {
    signal.throwIfAborted();
    const read = (file: string) => readFileSync(join(values.pages, name, file), "utf8");
    const expected = await drawAndRead(reader, read("expected.html"));
    code += expected.code.length;
    rows += expected.rows.length;
    for (const side of Object.keys(sides) as Side[]) {
      const page = await browser.newPage();
      await openAlone(page, read("source.html"));
      const { html, text, markdown, ms } = (await evaluateIsolated(page, program, `program.${sides[side]}`)) as Extracted;
      await page.close();
      const words = html !== undefined ? (await drawAndRead(reader, html)).text : (text ?? plainOf(markdown ?? ""));
      measured.push({ side, name, ms, ...scoreOf(expected, words, markdown) });
    }
  }
  const table = (Object.keys(sides) as Side[]).map((side) => {
    const all = measured.filter((each) => each.side === side);
    const sum = (take: (each: Measured) => number) => all.reduce((total, each) => total + take(each), 0);
    const of = (take: (each: Measured) => number) => all.map(take);
    return [
      side,
      (sum(({ recall }) => recall) / all.length).toFixed(3),
      Math.min(...of(({ recall }) => recall)).toFixed(2),
      all.filter(({ recall }) => recall < 0.5).length,
      (sum(({ precision }) => precision) / all.length).toFixed(3),
      median(of(({ precision }) => precision)).toFixed(3),
      `${sum(({ fenced }) => fenced)} of ${code}`,
      `${sum((each) => each.rows)} of ${rows}`,
      median(of(({ ms }) => ms)).toFixed(0),
      Math.max(...of(({ ms }) => ms)).toFixed(0),
    ];
  });
  const header = [
    "side",
    "recall, mean",
    "lowest",
    "pages under .5",
    "precision, mean",
    "median",
    "code fenced",
    "rows on a line",
    "ms, median",
    "most",
  ];
  console.log(`\n${names.length} pages\n${renderTable([header, ...table])}\n`);
  const low = measured.filter(({ side, recall }) => side === "capture (default)" && recall < 0.5);
  console.log(`Recall under .5 by default: ${low.map(({ name, recall }) => `${name} (${recall.toFixed(2)})`).join(", ") || "none"}`);
  writeResults("content", { browser: await browser.version(), code, rows, measured });
}

/** Opens a page as its address would answer it. Nothing else can be loaded. */
async function openAlone(page: Page, source: string): Promise<void> {
  const address = "http://fakehost.test/test/page.html";
  await page.setRequestInterception(true);
  const answer = { body: source, contentType: "text/html; charset=utf-8" };
  // An alert would hold the page up.
  page.on("dialog", (dialog) => void dialog.dismiss());
  page.on("request", (request) => void (request.url() === address ? request.respond(answer) : request.abort()));
  await page.goto(address, { waitUntil: "domcontentloaded", timeout: 0 });
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

/** Compares words, by how often each is there. */
function scoreOf(expected: Expected, text: string, markdown = ""): Score {
  const [wanted, found] = [countWords(expected.text), countWords(text)];
  let common = 0;
  for (const [word, count] of wanted) common += Math.min(count, found.get(word) ?? 0);
  const sum = (words: ReadonlyMap<string, number>) => [...words.values()].reduce((all, count) => all + count, 0);
  const squeeze = (part: string) => part.replaceAll(/\s+/g, "");
  const fences = [...markdown.matchAll(/^[ >]*(`{3,}).*\n([\s\S]*?)^[ >]*\1$/gm)].map(([, , block = ""]) =>
    squeeze(block.replaceAll(/^[ >]*/gm, "")),
  );
  const lines = (markdown === "" ? text : markdown).split("\n").map((line) => squeeze(plainOf(line)));
  return {
    recall: sum(wanted) === 0 ? 1 : common / sum(wanted),
    precision: sum(found) === 0 ? 0 : common / sum(found),
    fenced: expected.code.filter((block) => fences.some((fence) => fence.includes(squeeze(block)))).length,
    rows: expected.rows.filter((cells) => lines.some((line) => hasInOrder(line, cells.map(squeeze)))).length,
  };
}

/** Markdown without its signs and addresses. */
function plainOf(markdown: string): string {
  return markdown
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, " ")
    .replaceAll(/\[((?:[^[\]]|\[[^\]]*\])*)\]\([^)\s]*(?: "[^"]*")?\)/g, "$1")
    .replaceAll(/^[ >]*`{3,}.*$/gm, " ")
    .replaceAll(/\\(?=[!-/:-@[-`{-~])/g, "")
    .replaceAll(/\*+|\b_+|_+\b|`|<[^>]*>/g, "");
}

function hasInOrder(line: string, cells: readonly string[]): boolean {
  let at = 0;
  for (const cell of cells) {
    const found = line.indexOf(cell, at);
    if (found < 0) return false;
    at = found + cell.length;
  }
  return true;
}

function countWords(text: string): Map<string, number> {
  const words = new Map<string, number>();
  // Without spaces between words, as in Chinese, each character counts.
  for (const [word] of text.toLowerCase().matchAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu))
    words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}
