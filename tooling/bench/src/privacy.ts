import { readPackagePages } from "@periscope/harness/pages";
import { figure, renderTable } from "@periscope/harness/table";
import { redactHtml, redactText } from "@periscope/privacy";
import { Bench } from "tinybench";
import { median, numberFrom, randomFrom, readOptions, writeResults } from "./measure.ts";

const usage = `Usage: pnpm bench privacy [options]
  --rounds N        measurements of each document (7)
  --seconds S       length of one measurement (1)
  --chars N         length of a document (1000000)`;

const formats = ["text", "markdown", "html"] as const;
type Format = (typeof formats)[number];

/** HTML stays HTML at the first level and becomes text at the second. */
const levels = ["private", "filtered"] as const;
type Level = (typeof levels)[number];

/** Megabytes a second of processor time. */
const aim = 10;
/** An identifier for so much text, as on a page with comments. Characters. */
const charsPerIdentifier = 3_000;

/** The privacy filter on documents of 1 MB. */
export async function runPrivacyBenchmark(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = readOptions({ args, defaults: { rounds: "7", seconds: "1", chars: "1000000" }, usage });
  const [rounds, seconds, chars] = [
    numberFrom(values, "rounds", 1),
    numberFrom(values, "seconds", 0.01),
    numberFrom(values, "chars", 10_000),
  ];
  const results = [];
  for (const format of formats) {
    const content = createDocument(format, chars);
    const megabytes = Buffer.byteLength(content) / 1e6;
    for (const level of levels) {
      const filter = () => (format === "html" ? redactHtml(content, level).html : redactText(content, level, { format }).text);
      const wanted = identifiers.filter(({ from }) => from === "private" || level === "filtered");
      const filtered = filter();
      const left = wanted.filter(({ value }) => filtered.includes(value));
      if (left.length > 0) throw new Error(`The filter left ${left.map(({ value }) => value).join(", ")} in ${format} at ${level}.`);
      const measured = [];
      for (let round = 0; round < rounds; round += 1) {
        signal.throwIfAborted();
        measured.push(await speedOf(filter, { megabytes, seconds }));
      }
      results.push({ format, level, speed: median(measured), measured });
    }
  }
  const rows = results.map((one) => [one.format, one.level, figure(one.speed)]);
  console.log(`\n${renderTable([["document", "level", `MB per CPU second, aim ${aim}`], ...rows])}\n`);
  writeResults("privacy", { options: values, results });
}

/** Megabytes a second of processor time, garbage collection included. */
async function speedOf(run: () => string, { megabytes, seconds }: { megabytes: number; seconds: number }): Promise<number> {
  const now = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  const bench = new Bench({ now, time: seconds * 1_000, iterations: 1, warmup: false });
  bench.add("side", run);
  await bench.run();
  const result = bench.tasks[0]?.result;
  if (result === undefined || !("latency" in result)) throw new Error("A side of the comparison did not run.");
  return megabytes / (result.latency.mean / 1_000);
}

/** Documentation of the installed packages with an identifier every 3,000 characters. The same installation gives the same document. */
function createDocument(format: Format, length: number): string {
  const pages = readPackagePages().filter((page) => page.format === "markdown");
  const random = randomFrom(20_261_121);
  let planted = 0;
  const parts: string[] = [];
  let written = 0;
  while (written < length) {
    const page = pages[Math.floor(random() * pages.length)];
    if (page === undefined) throw new Error("No documentation is installed. Run `pnpm install`.");
    let body = page.content;
    for (let at = charsPerIdentifier; at < page.content.length + charsPerIdentifier; at += charsPerIdentifier) {
      body += `\n\n${identifiers[planted % identifiers.length]?.sentence}\n`;
      planted += 1;
    }
    const text = format === "markdown" ? body : format === "html" ? toHtml(page.title, body) : body.replaceAll(/[*`#>]{1,6}/g, "");
    parts.push(text);
    written += text.length;
  }
  return parts.join("\n\n").toWellFormed();
}

/** Markdown as documentation sites publish it, as far as a filter sees a difference: tags, attributes, entities, scripts. */
function toHtml(title: string, markdown: string): string {
  const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
  const blocks = markdown.split(/\n{2,}/).map((block) => {
    const text = escape(block)
      .replaceAll(/`([^`\n]{1,300})`/g, '<code class="notranslate">$1</code>')
      .replaceAll(/\[([^\][\n]{0,300})\]\(([^()\s]{0,1000})\)/g, '<a href="$2" rel="nofollow">$1</a>');
    if (/^#{1,6} /.test(block)) return `<h2 class="heading" id="part"><a class="anchor" href="#part"></a>${text.replace(/^#+ /, "")}</h2>`;
    if (block.startsWith("```")) return `<div class="highlight"><pre class="notranslate">${text}</pre></div>`;
    if (/^[-*] /.test(block)) return `<ul>${text.replaceAll(/^[-*] (.*)$/gm, '<li class="list-item" dir="auto">$1</li>')}</ul>`;
    return `<p dir="auto">${text}</p>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title><style>.heading{margin:1em 0}</style>
<script>document.addEventListener("DOMContentLoaded",()=>{window.dataLayer=window.dataLayer||[]});</script></head><body class="docs">
<form action="/search"><input type="search" name="q" placeholder="Search"><button type="submit">Search</button></form>
<main><article class="markdown-body">\n${blocks.join("\n")}\n</article></main></body></html>\n`;
}

/** A sentence as it stands in pages, with a value that belongs to nobody. */
interface Identifier {
  sentence: string;
  value: string;
  /** Lowest level that removes it. */
  from: Level;
}

const of = (from: Level, before: string, value: string, after: string): Identifier => ({ from, value, sentence: before + value + after });

// Tokens are put together here, so that no file of the repository holds one.
const identifiers = [
  of("filtered", "Write to ", "ana.silva114@mail.example.org", " when the build fails again."),
  of("filtered", "The maintainer on call can be reached at ", "(415) 555-0162", " on weekdays."),
  of("filtered", "The request came from ", "203.0.113.77", " twice."),
  of("filtered", "Its interface has the address ", "00:1a:2b:37:81:5e", "."),
  of("private", "The order was paid with card ", "4111 1111 1111 1111", " last week."),
  of("private", "Refunds go to IBAN ", "DE89 3704 0044 0532 0130 00", " within a week."),
  of("private", "The form asks for the social security number, here ", "536-27-4187", ", first."),
  of("private", "It was run with the key ", ["ghp", "Zk3vTq8sLw0PbX6hRj2NcYd9UfMg4AeKoV7i"].join("_"), " from the vault."),
  of(
    "private",
    "The answer held ",
    ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiI0MTcyIn0", "Qm5Tz8Kc1Wd4Jf7Hg0Lp3NsV2bXyR6oUeAiMhTqLw9Z"].join("."),
    " in its header.",
  ),
  of("private", 'The sample has password: "', "tG7kWq2ZxN9bLd", '" in its settings.'),
  of("private", "Follow https://app.example.com/invoices?id=12&access_token=", "p4VbX9sKc2TqLw7ZrJh0NdYf", " to see it."),
];
