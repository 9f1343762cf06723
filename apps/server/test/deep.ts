/** Whether this is `pnpm test:deep`, which also runs `*.deep.test.ts` and tries more random inputs and more crashes. */
export const isDeep = process.env["TEST_DEEP"] === "1";

/** How often a property is tried: `count` times, and ten times as often in a deep run. */
export const runs = (count: number): { numRuns: number } => ({ numRuns: isDeep ? 10 * count : count });

/** What random input begins with; a run prints it. */
export const seed = Number(process.env["TEST_SEED"]);

/** Numbers below a bound that look like chance and are the same in every run. */
export function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}
