import { type Column, renderTable } from "@periscope/harness/old-table";
import type { BenchmarkInput } from "../benchmarks.ts";
import { type Machine, thisMachine } from "../measure/machine.ts";
import { median } from "../measure/stats.ts";
import { writeResults } from "../results.ts";
import { type BenchPage, startBenchPage } from "./bench-page.ts";
import { syncOptions } from "./options.ts";
import type { CaptureTimes, Program, Side } from "./page-program.ts";

/** Elements of the pages that are captured. */
const sizes = [2_000, 20_000, 100_000] as const;

interface CaptureResult {
  elements: number;
  /** Medians over the rounds, in milliseconds; a ratio is the median of the rounds' ratios. */
  capture: number;
  innerText: number;
  readability: number;
  toInnerText: number;
  toReadability: number;
  last: CaptureTimes;
  rounds: CaptureTimes[];
}

/** What capturing costs beside `innerText` and Readability in the same page, and how fast the queue takes and sends. */
export async function runSyncBenchmark({ args, signal, print }: BenchmarkInput): Promise<void> {
  const options = syncOptions(args);
  await using bench = await startBenchPage();
  const machine: Machine & { browser: string } = { ...thisMachine(), browser: bench.browser };
  const captures: CaptureResult[] = [];
  for (const size of sizes) captures.push(await captureOf(bench, size, { rounds: options.rounds, signal }));
  print(`\n${renderTable(captureColumns, captures.map(captureRow)).join("\n")}\n`);

  await bench.page.reload({ timeout: 0 });
  signal.throwIfAborted();
  const { messages } = options;
  const heapBefore = await bench.heapBytes();
  const baseUrl = JSON.stringify(bench.baseUrl);
  const enqueueMs = (await inPage(bench, `program.enqueue(${baseUrl}, ${messages})`)) as number;
  const heapWaiting = await bench.heapBytes();
  signal.throwIfAborted();
  const drained = (await inPage(bench, `program.drain(${baseUrl})`)) as Awaited<ReturnType<Program["drain"]>>;
  const heapAfter = await bench.heapBytes();
  if (bench.stored() !== messages) throw new Error(`The service has ${bench.stored()} of ${messages} messages.`);
  const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  const perSecond = (ms: number) => Math.round((messages / ms) * 1_000).toLocaleString("en");
  print(
    `${messages.toLocaleString("en")} messages of 1 KB: ${perSecond(enqueueMs)} enqueued a second, ${perSecond(drained.ms)} drained a second`,
  );
  print(
    `in ${drained.requests} requests. Heap: ${mib(heapBefore)} MiB before, ${mib(heapWaiting)} while all wait, ${mib(heapAfter)} after.`,
  );
  const queue = { messages, enqueueMs, ...drained, heapBefore, heapWaiting, heapAfter };
  print(`Written to ${writeResults("sync", { at: new Date(), machine, options, captures, queue })}`);
}

async function captureOf(
  bench: BenchPage,
  size: number,
  { rounds, signal }: { rounds: number; signal: AbortSignal },
): Promise<CaptureResult> {
  const elements = (await inPage(bench, `program.fill(${size})`)) as number;
  const measured: CaptureTimes[] = [];
  const sides: readonly Side[] = ["capture", "innerText", "readability"];
  for (let round = -1; round < rounds; round += 1) {
    signal.throwIfAborted();
    // The side that begins changes; the first round warms up and does not count.
    const order = sides.map((_, index) => sides[(index + round + 1) % sides.length] ?? "capture");
    const times = await inPage(bench, `program.measure(${JSON.stringify(order)})`);
    if (round >= 0) measured.push(times as CaptureTimes);
  }
  const of = (take: (times: CaptureTimes) => number) => median(measured.map(take));
  const last = measured.at(-1);
  if (last === undefined) throw new Error("Nothing was measured.");
  return {
    elements,
    capture: of(({ capture }) => capture),
    innerText: of(({ innerText }) => innerText),
    readability: of(({ readability }) => readability),
    toInnerText: of(({ capture, innerText }) => capture / innerText),
    toReadability: of(({ capture, readability }) => capture / readability),
    last,
    rounds: measured,
  };
}

/** Evaluates in the page, where the program is a global. */
const inPage = async ({ page }: BenchPage, expression: string): Promise<unknown> => await page.evaluate(expression);

const right = (title: string): Column => ({ title, align: "right" });
const captureColumns: Column[] = [
  right("elements"),
  right("capture, ms"),
  { title: "read by" },
  right("innerText, ms"),
  right("ratio"),
  right("Readability, ms"),
  right("ratio"),
  right("text, of innerText's"),
];

function captureRow({ elements, capture, innerText, readability, toInnerText, toReadability, last }: CaptureResult): string[] {
  const share = `${Math.round((last.chars.capture / last.chars.innerText) * 100)} %`;
  const times = [
    capture.toFixed(1),
    last.readBy,
    innerText.toFixed(1),
    toInnerText.toFixed(2),
    readability.toFixed(0),
    toReadability.toFixed(3),
  ];
  return [elements.toLocaleString("en"), ...times, share];
}
