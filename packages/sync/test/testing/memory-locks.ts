import type { Locks } from "../../src/core/options.js";

/** Locks in memory that queues of one test share. */
export interface MemoryLocks extends Locks {
  /** Lets go of all that is held, as the browser does when a worker dies; whoever waits comes next. */
  release(): void;
  /** Names of the locks that are held. */
  held(): string[];
}

/** Locks as `navigator.locks` gives them: one holder a name, the others in the order of their requests. */
export function memoryLocks(): MemoryLocks {
  const holders = new Map<string, { released: Promise<void>; release: () => void }>();

  return {
    async request(name, { signal }, work) {
      for (let holder = holders.get(name); holder !== undefined; holder = holders.get(name)) {
        signal?.throwIfAborted();
        await freed(holder.released, signal);
      }
      signal?.throwIfAborted();
      const { promise: released, resolve } = Promise.withResolvers<void>();
      const release = () => {
        if (holders.get(name)?.release === release) holders.delete(name);
        resolve();
      };
      holders.set(name, { released, release });
      try {
        return await work();
      } finally {
        release();
      }
    },
    release() {
      for (const { release } of holders.values()) release();
    },
    held: () => [...holders.keys()],
  };
}

function freed(released: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    void released.then(resolve);
    signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}
