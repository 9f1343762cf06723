import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";

/**
 * Starts a program as the leader of a process group, so that all it starts can be ended with it. A signal that ends this process
 * ends the group first: nothing is left behind.
 */
export function spawnGroup(name: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(name, args, { ...options, detached: true });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const end = () => {
    killGroup(child.pid);
    process.exit(143);
  };
  for (const signal of signals) process.on(signal, end);
  child.once("close", () => {
    for (const signal of signals) process.off(signal, end);
  });
  return child;
}

/** Sends a signal to a process and everything in its group; one that has ended already is left alone. */
export function killGroup(pid: number | undefined, signal: NodeJS.Signals = "SIGKILL"): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It ended in the meantime.
  }
}
