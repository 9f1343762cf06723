import type { CleanFigures, Figures, KindFigures } from "./figures.ts";
import { changedPer10000Max, changedTextsMax, fullMin } from "./targets.ts";

/** One thing that was compared: its name, and what is wrong with it, if anything. */
export interface Finding {
  name: string;
  problem: string | undefined;
}

/** Compares every figure with the one that was reached before: none may be worse, none may be missing. */
export function againstRatchet(now: Figures, before: Figures): Finding[] {
  return [
    ...Object.entries(before.kinds).map(([kind, was]) => ({ name: `${kind} not worse`, problem: worseKind(now.kinds[kind], was) })),
    ...Object.entries(before.clean).map(([group, was]) => ({ name: `${group} not worse`, problem: worseClean(now.clean[group], was) })),
    ...[
      ...Object.keys(now.kinds).filter((kind) => !(kind in before.kinds)),
      ...Object.keys(now.clean).filter((g) => !(g in before.clean)),
    ].map((name) => ({ name: `${name} is held`, problem: "it is not in the ratchet yet; write the figures anew" })),
  ];
}

function worseKind(now: KindFigures | undefined, was: KindFigures): string | undefined {
  if (now?.values !== was.values) return `${now?.values ?? 0} labelled values, the ratchet is of ${was.values}: the texts are others`;
  const fallen = (["gone", "full", "share"] as const).filter((figure) => now[figure] < was[figure]);
  return fallen.length === 0 ? undefined : fallen.map((figure) => `${figure} ${now[figure]}, was ${was[figure]}`).join("; ");
}

function worseClean(now: CleanFigures | undefined, was: CleanFigures): string | undefined {
  if (now?.texts !== was.texts || now.characters !== was.characters)
    return `${now?.texts ?? 0} texts, the ratchet is of ${was.texts}: others`;
  const risen = (["changedTexts", "changedCharacters"] as const).filter((figure) => now[figure] > was[figure]);
  return risen.length === 0 ? undefined : risen.map((figure) => `${figure} ${now[figure]}, was ${was[figure]}`).join("; ");
}

/** Compares with what the privacy rules promise. A kind or group of which there is no text has not reached it. */
export function againstTargets({ kinds, clean }: Figures): Finding[] {
  const reached = (name: string, value: number | undefined, isReached: (value: number) => boolean, wanted: string): Finding => ({
    name: `${name} ${wanted}`,
    problem: value !== undefined && isReached(value) ? undefined : `${value?.toFixed(2) ?? "nothing was scored"}, wanted ${wanted}`,
  });
  const percent = (part: number | undefined, whole: number | undefined) =>
    part === undefined || whole === undefined || whole === 0 ? undefined : (100 * part) / whole;
  return [
    ...Object.entries(fullMin).map(([kind, least]) =>
      reached(kind, percent(kinds[kind]?.full, kinds[kind]?.values), (value) => value >= least, `at least ${least} %`),
    ),
    ...Object.entries(changedPer10000Max).map(([group, most]) => {
      const changed = percent(clean[group]?.changedCharacters, clean[group]?.characters);
      return reached(group, changed === undefined ? undefined : 100 * changed, (value) => value <= most, `at most ${most} in 10,000`);
    }),
    ...Object.entries(changedTextsMax).map(([group, most]) =>
      reached(group, percent(clean[group]?.changedTexts, clean[group]?.texts), (value) => value <= most, `at most ${most} % changed`),
    ),
  ];
}
