import { readKinds, type ReadSide } from "../reads/kinds.ts";
import type { EngineResult, PeerResult, ReadResult, ScaleResults, SizeResult } from "../scale-results.ts";
import { aimRows } from "./aims.ts";
import { engineTitles, milliseconds, processorPerContext, readOf, whole, writeRates } from "./figures.ts";
import { columnsOf, markdownTable } from "./markdown-table.ts";

/** All tables of a run, as lines of Markdown. */
export function reportTables(results: ScaleResults): string[] {
  const { engines, peers, machine, samples } = results;
  const databases = engines.map(({ database }) => database).join(", ");
  return [
    `${machine.cores} cores of ${machine.cpu}, ${machine.memoryGiB} GiB, ${machine.system}, Node ${machine.node}, ${databases}; ${results.at.slice(0, 10)}.`,
    ...section("Aims", markdownTable(columnsOf(["aim", "engine", "measured", ""], []), aimRows(results))),
    ...section("Writes, disk and memory", growthTable(engines)),
    ...engines.flatMap((engine) => engine.sizes.flatMap((size) => readSection(engine, size, samples))),
    ...engines.flatMap((engine) => engine.sizes.flatMap((size) => togetherSection(engine, size))),
    ...(peers.length === 0 ? [] : section("Peers", peerTable(peers))),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return ["", `### ${title}`, "", ...lines];
}

function growthTable(engines: readonly EngineResult[]): string[] {
  const columns = columnsOf(
    ["engine"],
    [
      "contexts",
      "contexts/s",
      "CPU ms each",
      "raw insert",
      "ratio",
      "raw, indexed",
      "ratio",
      "KB/context",
      "server MiB",
      "peak",
      "database MiB",
    ],
  );
  const rows = engines.flatMap(({ engine, sizes }) =>
    sizes.map((size) => {
      const { server, rows, indexed } = writeRates(size);
      const memory = size.memoryAfter;
      return [
        engineTitles[engine],
        whole(size.contexts),
        whole(server),
        milliseconds(processorPerContext(size)),
        whole(rows),
        (server / rows).toFixed(2),
        whole(indexed),
        (server / indexed).toFixed(2),
        (size.bytes / size.contexts / 1_000).toFixed(1),
        whole(memory.server),
        whole(memory.serverPeak),
        whole(memory.database),
      ];
    }),
  );
  return markdownTable(columns, rows);
}

function readSection({ engine }: EngineResult, size: SizeResult, samples: number): string[] {
  const columns = columnsOf(
    ["ms: p50 / p95 / p99"],
    ["found", "heavy user", "light user", "the light one alone", "to alone", "CPU ms", "raw, heavy", "raw, light"],
  );
  const rows = readKinds.map((kind) => {
    const read = (side: ReadSide) => readOf(size, kind, side);
    const [light, alone] = [read("light"), read("light alone")];
    const ratio = light === undefined || alone === undefined ? "–" : (light.p99 / alone.p99).toFixed(2);
    const processor = (["heavy", "light", "light alone"] as const).map((side) => milliseconds(read(side)?.processor)).join(" / ");
    const raw = (side: ReadSide) => triple(read(side), samples);
    return [
      kind,
      whole(read("heavy")?.found),
      raw("heavy"),
      raw("light"),
      raw("light alone"),
      ratio,
      processor,
      raw("floor heavy"),
      raw("floor light"),
    ];
  });
  const title = `${engineTitles[engine]}, ${whole(size.contexts)} contexts of ${size.users} users, one client`;
  return section(title, [...markdownTable(columns, rows), "", `Before the reads: ${size.settled} (${whole(size.settleSeconds)} s).`]);
}

function togetherSection({ engine }: EngineResult, { together, contexts }: SizeResult): string[] {
  const clients = together[0]?.clients ?? 0;
  const columns = columnsOf(["ms: p50 / p95 / p99"], ["heavy user", "requests/s", "light user", "requests/s"]);
  const rows = readKinds.map((kind) => {
    const cells = (["heavy", "light"] as const).flatMap((side) => {
      const result = together.find((read) => read.kind === kind && read.side === side);
      return [triple(result, 0), whole(result?.perSecond)];
    });
    return [kind, ...cells];
  });
  return section(`${engineTitles[engine]}, ${whole(contexts)} contexts, ${clients} clients at once`, markdownTable(columns, rows));
}

/** Percentiles, and how many samples there are when they are fewer than wanted. */
function triple(read: Pick<ReadResult, "p50" | "p95" | "p99" | "samples" | "failures"> | undefined, wanted: number): string {
  if (read === undefined) return "–";
  const few = read.samples < wanted ? ` (${read.samples})` : "";
  const failed = read.failures > 0 ? ` (${read.failures} failed)` : "";
  return [read.p50, read.p95, read.p99].map(milliseconds).join(" / ") + few + failed;
}

function peerTable(peers: readonly PeerResult[]): string[] {
  const kinds = ["search-rare", "search-common", "search-phrase", "search-none"] as const;
  const columns = columnsOf(["peer"], ["contexts", "contexts/s", "KB/context", "peak MiB", ...kinds.map((kind) => `${kind}, ms`)]);
  const rows = peers.flatMap(({ peer, version, failure, sizes }) => {
    const measured = sizes.map(({ contexts, perSecond, bytes, memory, reads }) => [
      `${peer} ${version}`,
      whole(contexts),
      whole(perSecond),
      (bytes / contexts / 1_000).toFixed(1),
      whole(memory),
      ...kinds.map((kind) =>
        triple(
          reads.find((read) => read.kind === kind),
          0,
        ),
      ),
    ]);
    if (measured.length > 0 && failure === undefined) return measured;
    return [...measured, [failure === undefined ? `${peer}: ${version}` : `${peer} ${version}, ${failure}`]];
  });
  return markdownTable(columns, rows);
}
