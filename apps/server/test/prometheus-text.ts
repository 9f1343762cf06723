/** One sample of the text format: a name, labels, a value. */
export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** Metrics as a scraper reads them. */
export class PrometheusText {
  constructor(
    readonly samples: readonly Sample[],
    /** Type of each family, by its name. */
    readonly types: ReadonlyMap<string, string>,
  ) {}

  /** The sum of the samples of this name whose labels include these; 0 when there is none, as a scraper takes it. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const wanted = Object.entries(labels);
    const found = this.samples.filter((sample) => sample.name === name && wanted.every(([key, text]) => sample.labels[key] === text));
    return found.reduce((sum, { value }) => sum + value, 0);
  }
}

const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (NaN|[+-]Inf|[+-]?[0-9.]+(?:e[+-]?[0-9]+)?)$/;
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,(?=[a-zA-Z_])|$)/y;

/**
 * Reads the text format, version 0.0.4, and throws for whatever is not it: a family without help and type, in two places or
 * named twice; a sample twice; a histogram whose buckets fall or do not end at its count.
 */
export function parsePrometheusText(text: string): PrometheusText {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const types = new Map<string, string>();
  const helped = new Set<string>();
  const samples: Sample[] = [];
  const seen = new Set<string>();
  let family = "";
  for (const line of text.slice(0, -1).split("\n")) {
    if (line === "") continue;
    const [, keyword, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword === "HELP") {
      if (helped.has(name)) throw new Error(`two helps: ${line}`);
      helped.add(name);
    } else if (keyword === "TYPE") {
      if (types.has(name) || !helped.has(name)) throw new Error(`a type twice or without help: ${line}`);
      if (!/^(?:counter|gauge|histogram|summary|untyped)$/.test(rest)) throw new Error(`no such type: ${line}`);
      types.set(name, rest);
      family = name;
    } else {
      const sample = readSample(line);
      if (!isOf(sample, family, types.get(family))) throw new Error(`outside of its family ${family}: ${line}`);
      const key = JSON.stringify([sample.name, Object.entries(sample.labels).map(String).toSorted()]);
      if (seen.has(key)) throw new Error(`twice: ${line}`);
      seen.add(key);
      samples.push(sample);
    }
  }
  checkHistograms(samples, types);
  return new PrometheusText(samples, types);
}

function readSample(line: string): Sample {
  const [, name, inside = "", number = ""] = sampleLine.exec(line) ?? [];
  if (name === undefined) throw new Error(`not a sample: ${line}`);
  const labels: Record<string, string> = {};
  for (label.lastIndex = 0; label.lastIndex < inside.length;) {
    const [, key = "", text] = label.exec(inside) ?? [];
    if (text === undefined || key in labels) throw new Error(`wrong labels: ${line}`);
    labels[key] = text.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
  }
  return { name, labels, value: Number(number.replace("Inf", "Infinity")) };
}

function isOf({ name, labels, value }: Sample, family: string, type: string | undefined): boolean {
  if (type === "counter") return name === family && value >= 0;
  if (type !== "histogram") return name === family;
  if (name === `${family}_bucket`) return "le" in labels;
  return name === `${family}_sum` || name === `${family}_count`;
}

function checkHistograms(samples: readonly Sample[], types: ReadonlyMap<string, string>): void {
  const last = new Map<string, Sample>();
  for (const sample of samples) {
    const family = sample.name.replace(/_(?:bucket|count|sum)$/, "");
    if (types.get(family) !== "histogram") continue;
    const { le, ...others } = sample.labels;
    const key = JSON.stringify([family, others]);
    const before = last.get(key);
    const isCount = sample.name === `${family}_count`;
    if (isCount && (before?.labels["le"] !== "+Inf" || before.value !== sample.value)) throw new Error(`${key}: its buckets miss some`);
    if (le === undefined) continue;
    if (before && (before.value > sample.value || bound(before) >= bound(sample))) throw new Error(`${key}: its buckets fall at ${le}`);
    last.set(key, sample);
  }
}

const bound = ({ labels: { le = "" } }: Sample): number => (le === "+Inf" ? Infinity : Number(le));
