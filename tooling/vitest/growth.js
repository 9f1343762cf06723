import { expect } from "vitest";

/**
 * Processor time in milliseconds of the thread that runs: what the machine does besides takes little of it, and what the runtime does in
 * threads of its own, collecting garbage and compiling, none.
 */
function cost(run) {
  const start = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** Below this, in milliseconds, a ratio is noise; work that grows with the square is far above it at the sizes that tests take. */
const measurable = 60;

/** The least of either run, by turns, until `ratioMax` is kept: single runs stray, and their least comes closer to the truth with each. */
function ratioOf(runSmall, runLarge, ratioMax) {
  let small = Number.POSITIVE_INFINITY;
  let large = Number.POSITIVE_INFINITY;
  for (let round = 1; round <= 8; round++) {
    large = Math.min(large, cost(runLarge));
    if (large < measurable) return 0;
    small = Math.min(small, cost(runSmall));
    if (round >= 2 && large / small < ratioMax) break;
  }
  return large / small;
}

/** So far apart that neither collected garbage nor a cold cache makes linear work, 8 times as dear, look like quadratic work, 64 times. */
const apart = 8;
const linearMax = apart ** 1.5;

export function expectLinear(run, size) {
  const smallSize = Math.ceil(size / apart);
  const ratio = ratioOf(
    () => run(smallSize),
    () => run(size),
    linearMax,
  );
  expect(ratio).toBeLessThan(linearMax);
}

/** Three times the price of what costs as much: strays are below it, a factor that grows with the input is above it. */
const alikeMax = 3;

export function expectAlike(run, other) {
  expect(ratioOf(run, other, alikeMax)).toBeLessThan(alikeMax);
}
