import { rawRequest } from "./raw-request.js";

/** Metrics as a scraper reads them. */
export class PrometheusText {
  constructor(
    readonly samples: ReadonlyArray<{ name: string; labels: Readonly<Record<string, string>>; value: number }>,
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

/** Reads the text format, version 0.0.4; throws for a line that is not of it. */
export function parsePrometheusText(text: string): PrometheusText {
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = "", type = ""]) => [name, type]));
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const samples = lines.map((line) => {
    const [, name, inside = "", value = ""] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined || !/^(?:NaN|[+-]?Inf|[\d.e+-]+)$/.test(value)) throw new Error(`not a sample: ${line}`);
    const labels = [...inside.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = "", label = ""]) => [key, label]);
    return { name, labels: Object.fromEntries(labels), value: Number(value.replace("Inf", "Infinity")) };
  });
  return new PrometheusText(samples, types);
}

/** The metrics of a server, which are beside its API. */
export async function readMetrics({ baseUrl }: { baseUrl: string }): Promise<PrometheusText> {
  return parsePrometheusText((await rawRequest(baseUrl, { path: "/metrics" })).text);
}
