/** What ended work before it was done: the caller's signal, or the time. */
export class Ended extends Error {
  readonly by: "aborted" | "timeout";

  constructor(by: "aborted" | "timeout") {
    super(by);
    this.by = by;
  }
}

/**
 * Bounds work to `ms` milliseconds and to the caller's signal, also when the work takes no notice of the signal that it is given. No timer
 * and no listener outlives it.
 * @throws Ended, and what the work throws
 */
export async function within<T>(
  ms: number,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => T | PromiseLike<T>,
): Promise<T> {
  if (caller?.aborted) throw new Ended("aborted");
  const controller = new AbortController();
  let end: (by: Ended["by"]) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    end = (by) => {
      reject(new Ended(by));
      controller.abort();
    };
  });
  const onAbort = () => end("aborted");
  const timer = setTimeout(() => end("timeout"), ms);
  caller?.addEventListener("abort", onAbort);
  try {
    return await Promise.race([ended, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener("abort", onAbort);
  }
}

/** Waits; resolves to false when the signal ended the wait. */
export async function wait(ms: number, caller: AbortSignal | undefined): Promise<boolean> {
  return await within(ms, caller, () => new Promise<never>(() => {})).catch(
    (error: unknown) => error instanceof Ended && error.by === "timeout",
  );
}
