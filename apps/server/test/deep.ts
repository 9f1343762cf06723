/** Whether this is `pnpm test:deep`, which also runs `*.deep.test.ts` and tries more random inputs and more crashes. */
export const isDeep = process.env["TEST_DEEP"] === "1";

/** How often a property is tried: `count` times, and ten times as often in a deep run. */
export const runs = (count: number): { numRuns: number } => ({ numRuns: isDeep ? 10 * count : count });
