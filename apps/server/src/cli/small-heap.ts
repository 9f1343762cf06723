/**
 * V8 sizes its heap by the machine's memory: on a large one it lets a young generation of 128 MB and some hundred MB of garbage
 * pile up before it looks. A service that is to sit beside other things keeps to little more than what is in use, for a few
 * percent of CPU. The young generation can only be bounded when the process starts.
 */
const flags = ["--max-semi-space-size=4", "--heap-growing-percent=25"];

/** glibc keeps freed memory in an arena a thread; Node's own threads need none of theirs. Elsewhere this is ignored. */
const fewArenas = { MALLOC_ARENA_MAX: "2" };

interface Process {
  platform: string;
  execPath: string;
  execArgv: readonly string[];
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  execve?: (file: string, args: readonly string[], env: Readonly<Record<string, string | undefined>>) => void;
}

/**
 * Starts this process over, under the same id, with a small heap. Returns where that cannot be done (Windows, Node before 22.15)
 * or where whoever started the process has sized the heap: there it goes on as it is.
 */
export function restartWithSmallHeap(process: Process): void {
  const { execArgv, env } = process;
  const isSized = [...execArgv, env["NODE_OPTIONS"] ?? ""].some((option) => /semi[-_]space|old[-_]space|heap[-_]/.test(option));
  if (isSized || process.platform === "win32" || !process.execve) return;
  process.execve(process.execPath, [process.execPath, ...execArgv, ...flags, ...process.argv.slice(1)], { ...fewArenas, ...env });
}
