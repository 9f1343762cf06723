import { accessSync, constants, statfsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const memoryMin = 4 * 1024 ** 3;

/**
 * Where tests keep data: in memory where there is room, else where the system keeps what is temporary. Most of the time of a test on a disk is
 * that of flushes to the disk. No program may be started from there.
 */
export function scratchFolder(): string {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    // A container may have less memory than the file system says.
    return Math.min(bavail * bsize, process.availableMemory()) < memoryMin ? tmpdir() : memory;
  } catch {
    return tmpdir();
  }
}

/** Creates an empty directory; in a test run in the {@link scratchFolder}. Disposing removes it with everything in it. */
export async function temporaryDirectory(prefix: string): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(process.env["VITEST"] === undefined ? tmpdir() : scratchFolder(), prefix));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 10 }) };
}
