const baseMs = 1_000;

/** The longest wait between two attempts, in milliseconds. */
const backoffMsMax = 300_000;

/**
 * How long to wait after attempt number `attempt` (the first is 1), in milliseconds: 1 s, doubled with each attempt, at most 5 minutes.
 * Half of it is fixed, so that a server that is down gets rest; half is random, so that clients that failed together do not return together.
 */
export function backoffMs(attempt: number, random: () => number): number {
  // Past 2^30 the bound has long been reached.
  const whole = Math.min(backoffMsMax, baseMs * 2 ** Math.min(Math.max(attempt, 1) - 1, 30));
  return whole / 2 + (whole / 2) * random();
}
