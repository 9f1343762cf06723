import { spawn } from "node:child_process";
const timeoutMsDefault = 600000;
/** Runs a command to its end, with nothing on its standard input. Never rejects: what went wrong is in the status and the output. */
export function runCommand([name = "", ...args], options) {
  const { promise, resolve } = Promise.withResolvers();
  let output = "";
  let timedOut = false;
  // Its own process group, so that what the command started ends with it.
  const child = spawn(name, args, {
    cwd: options.cwd,
    env: options.environment ?? process.env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
    });
  }
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child.pid);
  }, options.timeoutMs ?? timeoutMsDefault);
  child.once("error", (error) => {
    clearTimeout(timer);
    resolve({ status: 127, output: `${output}${error.message}\n` });
  });
  child.once("close", (code) => {
    clearTimeout(timer);
    if (timedOut) resolve({ status: 124, output: `${output}\nStopped: it took too long.\n` });
    else resolve({ status: code ?? 1, output });
  });
  return promise;
}
/** Kills a process and everything in its group; one that has ended already is left alone. */
export function killGroup(pid, signal = "SIGKILL") {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It ended in the meantime.
  }
}
