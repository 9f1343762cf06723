import { parseArgs } from "node:util";
import { numberOption } from "../number-option.ts";

export const engineNames = ["sqlite", "postgres"] as const;
export type EngineName = (typeof engineNames)[number];

export const peerNames = ["recoll", "joplin"] as const;
export type PeerName = (typeof peerNames)[number];

/** What a run of the benchmark of growth does. */
export interface ScaleOptions {
  engines: readonly EngineName[];
  peers: readonly PeerName[];
  /** Contexts in the store at each measurement, rising. */
  sizes: readonly number[];
  /** Requests a kind and user. */
  samples: number;
  /** Seconds that a floor or a peer may take for the samples of one kind; the service takes as long as it needs. */
  secondsMax: number;
  /** Directory that keeps stores and progress, so that a run that was cut goes on; none: a temporary one. */
  keep: string | undefined;
  /** File of the results. */
  out: string | undefined;
}

const usage = `Usage: pnpm bench scale [options]
  --engines A,B     of ${engineNames.join(", ")} (all)
  --sizes N,N       contexts at each measurement, rising (10000,100000,1000000)
  --peers A,B       of ${peerNames.join(", ")}; what is not installed is said to be so (none)
  --samples N       requests a kind and user (200)
  --seconds S       most that a floor or a peer may take for one kind (60)
  --keep DIR        keep stores and progress there, and go on from what is there
  --out FILE        where the results go (tooling/bench/results/)`;

/** @throws Error that says which option is wrong */
export function scaleOptions(args: readonly string[]): ScaleOptions {
  const text = { type: "string" } as const;
  const options = { engines: text, sizes: text, peers: text, samples: text, seconds: text, keep: text, out: text };
  const { values } = parseArgs({ args: [...args], options });
  return {
    engines: namesOf("engines", values.engines, { known: engineNames, fallback: engineNames }),
    peers: namesOf("peers", values.peers, { known: peerNames, fallback: [] }),
    sizes: sizesOf(values.sizes ?? "10000,100000,1000000"),
    samples: numberOption("samples", values.samples, { fallback: 200, least: 1, most: 10_000, usage }),
    secondsMax: numberOption("seconds", values.seconds, { fallback: 60, least: 0.1, most: 3_600, usage }),
    keep: values.keep,
    out: values.out,
  };
}

function namesOf<T extends string>(
  option: string,
  text: string | undefined,
  { known, fallback }: { known: readonly T[]; fallback: readonly T[] },
): readonly T[] {
  const given = text?.split(",").filter((name) => name !== "") ?? fallback;
  const unknown = given.find((name) => !known.some((other) => other === name));
  if (unknown !== undefined) throw new Error(`--${option} takes ${known.join(", ")}, not ${unknown}.\n\n${usage}`);
  return known.filter((name) => given.some((other) => other === name));
}

function sizesOf(text: string): number[] {
  const sizes = text.split(",").map(Number);
  const isRising = sizes.every((size, index) => Number.isInteger(size) && size >= 100 && size > (sizes[index - 1] ?? 0));
  if (!isRising) throw new Error(`--sizes takes rising whole numbers of 100 and more, not ${text}.\n\n${usage}`);
  return sizes;
}
