import { readKinds, type ReadSide } from "../reads/kinds.ts";
import type { EngineResult, ScaleResults } from "../scale-results.ts";
import { engineTitles, readOf, whole } from "./figures.ts";

/** Colours that are told apart on white and on black, and by most who see fewer of them. */
const colours = ["#8a8a8a", "#5b8ff0", "#2fa4a9", "#d97a1e", "#d6455d", "#9b6be0", "#3f9b45", "#b8902a"];
const panel = { width: 400, height: 280, left: 52, right: 32, top: 34, gap: 24 };
const legend = 60;
const sides: ReadonlyArray<readonly [ReadSide, string]> = [
  ["heavy", "heavy user"],
  ["light", "light user"],
];
/** Of the aim for searches. */
const aimMs = 100;

interface Scale {
  x: (contexts: number) => number;
  y: (ms: number) => number;
  contexts: readonly number[];
  ms: readonly number[];
}

/** The p99 of every kind of read by size, both logarithmic: a panel an engine and user. Legible on light and dark pages. */
export function latencyPlot({ engines }: ScaleResults): string {
  const width = 2 * panel.width + panel.gap;
  const height = engines.length * (panel.height + panel.gap) + legend;
  const scale = scaleOf(engines);
  const panels = engines.flatMap((engine, row) =>
    sides.map(([side, title], column) => {
      const [x, y] = [column * (panel.width + panel.gap), row * (panel.height + panel.gap)];
      return `<g transform="translate(${x} ${y})">\n${panelOf(engine, { side, title, scale })}\n</g>`;
    }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="p99 by contexts in the store">
<style>
text { font: 12px system-ui, sans-serif; fill: #333; } .title { font-weight: 600; } .grid { stroke: #ccc; } .aim { stroke: #333; stroke-dasharray: 4 4; }
@media (prefers-color-scheme: dark) { text { fill: #ddd; } .grid { stroke: #444; } .aim { stroke: #ddd; } }
</style>
${panels.join("\n")}
<g transform="translate(${panel.left} ${height - legend + 14})">
${readKinds.map(legendEntry).join("\n")}
</g>
</svg>
`;
}

function scaleOf(engines: readonly EngineResult[]): Scale {
  const sizes = [...new Set(engines.flatMap((engine) => engine.sizes.map(({ contexts }) => contexts)))].sort((a, b) => a - b);
  const values = engines.flatMap((engine) =>
    engine.sizes.flatMap(({ reads }) => reads.filter(({ side }) => sides.some(([shown]) => shown === side)).map(({ p99 }) => p99)),
  );
  const [least, most] = [Math.floor(Math.log10(Math.min(aimMs, ...values))), Math.ceil(Math.log10(Math.max(aimMs, ...values)))];
  const [from, to] = [Math.log10(sizes[0] ?? 1), Math.log10(sizes.at(-1) ?? 10)];
  const [right, bottom] = [panel.width - panel.right, panel.height - 26];
  return {
    // Of a single size its place is the middle.
    x: (contexts) =>
      to === from ? (panel.left + right) / 2 : panel.left + 8 + ((Math.log10(contexts) - from) / (to - from)) * (right - panel.left - 16),
    y: (ms) => bottom - ((Math.log10(ms) - least) / (most - least)) * (bottom - panel.top),
    contexts: sizes,
    ms: Array.from({ length: most - least + 1 }, (_, index) => 10 ** (least + index)),
  };
}

function panelOf(engine: EngineResult, { side, title, scale }: { side: ReadSide; title: string; scale: Scale }): string {
  const { x, y } = scale;
  const right = panel.width - panel.right;
  const lines = readKinds.map((kind, index) => {
    const points = engine.sizes.flatMap((size) => {
      const read = readOf(size, kind, side);
      return read === undefined ? [] : [[round(x(size.contexts)), round(y(read.p99))] as const];
    });
    const colour = colours[index] ?? "#888";
    const dots = points.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${colour}"/>`).join("");
    return `<polyline points="${points.map((point) => point.join()).join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/>${dots}`;
  });
  return [
    `<text class="title" x="${panel.left}" y="16">${engineTitles[engine.engine]}, ${title}: p99, ms</text>`,
    ...scale.ms.map((ms) => `<line class="grid" x1="${panel.left}" x2="${right}" y1="${round(y(ms))}" y2="${round(y(ms))}"/>`),
    ...scale.ms.map((ms) => `<text x="${panel.left - 6}" y="${round(y(ms) + 4)}" text-anchor="end">${ms < 1 ? ms : whole(ms)}</text>`),
    ...scale.contexts.map((size) => `<text x="${round(x(size))}" y="${panel.height - 8}" text-anchor="middle">${whole(size)}</text>`),
    `<line class="aim" x1="${panel.left}" x2="${right}" y1="${round(y(aimMs))}" y2="${round(y(aimMs))}"/>`,
    ...lines,
  ].join("\n");
}

function legendEntry(kind: string, index: number): string {
  const [x, y] = [(index % 4) * 195, Math.floor(index / 4) * 20];
  return `<line x1="${x}" x2="${x + 18}" y1="${y}" y2="${y}" stroke="${colours[index] ?? "#888"}" stroke-width="3"/><text x="${x + 24}" y="${y + 4}">${kind}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
