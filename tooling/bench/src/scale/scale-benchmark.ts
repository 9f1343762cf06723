import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import type { BenchmarkInput } from "../benchmarks.ts";
import { thisMachine } from "../measure/machine.ts";
import { resultsFolder } from "../results.ts";
import { ScaleDocuments } from "./documents/scale-documents.ts";
import { readSourceText } from "./documents/source-text.ts";
import { runEngine } from "./engine-run.ts";
import { scaleOptions } from "./options.ts";
import { runPeer } from "./peers/run-peer.ts";
import { reportTables } from "./report/report-tables.ts";
import type { ScaleResults } from "./scale-results.ts";

/** The service as a store grows to a million contexts, beside raw SQL on the same engine and beside peers. */
export function runScaleBenchmark(input: BenchmarkInput): Promise<void> {
  return runScale(input, (text) => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`));
}

/** The same, with a word for those who wait given to `note`. */
export async function runScale({ args, signal, print }: BenchmarkInput, note: (text: string) => void): Promise<void> {
  const options = scaleOptions(args);
  const at = new Date();
  const out = options.out ?? `${resultsFolder}scale-${at.toISOString().replaceAll(/[:.]/g, "-")}.json`;
  await using place =
    options.keep === undefined ? await temporaryDirectory("periscope-scale-") : { path: options.keep, async [Symbol.asyncDispose]() {} };
  mkdirSync(place.path, { recursive: true });
  const results: ScaleResults = { at: at.toISOString(), machine: thisMachine(), samples: options.samples, engines: [], peers: [] };
  // After each size, so that a run that is cut has left what it measured.
  const keep = () => {
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, `${JSON.stringify(results, undefined, 2)}\n`);
  };
  const source = readSourceText();
  const documents = new ScaleDocuments(source);
  const input = { options, documents, directory: place.path, signal, note };
  for (const engine of options.engines) {
    await runEngine({
      ...input,
      engine,
      digest: source.digest,
      onResult: (result) => {
        results.engines = [...results.engines.filter((other) => other.engine !== engine), result];
        keep();
      },
    });
  }
  for (const peer of options.peers) {
    results.peers.push(await runPeer(peer, input));
    keep();
  }
  keep();
  print(`${reportTables(results).join("\n")}\n`);
  print(`Written to ${out}`);
}
