import { expect } from "vitest";

/** Processor time in milliseconds: what else the machine does takes little of it. */
function cost(run) {
  const start = process.cpuUsage();
  run();
  return process.cpuUsage(start).user / 1000;
}

/** Below this, in milliseconds, a ratio is noise; work that grows with the square is far above it at the sizes that tests take. */
const measurable = 60;
/** Twice the text takes twice the time; four times would be quadratic. */
const ratioMax = 3.2;

// The least of either size, by turns: single runs stray, and their least comes closer to the truth with each.
// Quadratic work stays at a ratio of four however often it is run.
export function expectLinear(runSmall, runLarge) {
  let shorter = Number.POSITIVE_INFINITY;
  let longer = Number.POSITIVE_INFINITY;
  for (let round = 1; round <= 8; round++) {
    longer = Math.min(longer, cost(runLarge));
    if (longer < measurable) return;
    shorter = Math.min(shorter, cost(runSmall));
    if (round >= 2 && longer / shorter < ratioMax) return;
  }
  expect(longer / shorter).toBeLessThan(ratioMax);
}
