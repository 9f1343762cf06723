/** How long a statement waits for another process's write, in milliseconds. */
export const busyTimeoutMs = 10_000;

/**
 * Bounds a connection's own page cache. The build's default is 16 MB each, and a server has five; what is read again and again
 * stays in the system's cache anyway.
 */
export function cacheOf(mebibytes: number): string {
  return `PRAGMA cache_size = ${-1024 * mebibytes};`;
}

/**
 * Settings of every connection that writes. FULL is said each time: this build's default in WAL mode is NORMAL,
 * which may lose acknowledged writes on power loss. What is deleted is overwritten with zeros; FAST would leave whole pages as they are.
 */
export const writerPragmas = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA busy_timeout = ${busyTimeoutMs};`;
