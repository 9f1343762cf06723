/** Runs a command until its end, a signal or a closed output. Then its work is told to stop, and the exit code says so. */
export async function runUntilStopped(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => stopping.abort(new Error(`Stopped by ${name}.`)));
  // A reader such as `head` may close the output before the end.
  process.stdout.on("error", () => stopping.abort(new Error("The output was closed.")));
  try {
    await work(stopping.signal);
  } catch (error) {
    const reason: unknown = stopping.signal.aborted ? stopping.signal.reason : error;
    console.error(`\n${reason instanceof Error ? reason.message : String(reason)}`);
    process.exitCode = stopping.signal.aborted ? 130 : 1;
  }
}
