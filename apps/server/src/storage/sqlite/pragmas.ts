/** How long a statement waits for another process's write, in milliseconds. */
export const busyTimeoutMs = 10_000;

/**
 * Settings of every connection that writes. FULL is said each time: this build's default in WAL mode is NORMAL,
 * which may lose acknowledged writes on power loss.
 */
export const writerPragmas = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = ${busyTimeoutMs};`;
