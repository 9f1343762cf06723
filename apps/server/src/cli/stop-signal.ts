/** The wish of the operator that the process ends; listens until it is disposed. */
export interface StopSignal extends Disposable {
  /** Resolves with the first SIGTERM or SIGINT. */
  requested: Promise<void>;
}

/**
 * Ctrl-C reaches a process twice when a package manager stands between: from the terminal, and passed on. Signals this
 * close together are one.
 */
const sameSignalMs = 500;

/** Listens for SIGTERM and SIGINT. The first resolves `requested`; a second one, meant as such, ends the process at once. */
export function listenForStop(): StopSignal {
  const { promise, resolve } = Promise.withResolvers<void>();
  let firstAt: number | undefined;
  const onSignal = () => {
    const now = performance.now();
    if (firstAt !== undefined && now - firstAt > sameSignalMs) process.exit(1);
    firstAt ??= now;
    resolve();
  };
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  return {
    requested: promise,
    [Symbol.dispose]: () => void process.off("SIGTERM", onSignal).off("SIGINT", onSignal),
  };
}
