import { expect, test } from "vitest";
import { startProgram } from "./program.ts";

test("stops the children of a program, also after the program itself has ended", async () => {
  const started = "(trap 'echo told to stop; exit' TERM; echo listening at http://127.0.0.1:1; sleep 600 & wait)";
  const command = ["sh", "-c", `${started} & wait`];
  await using program = await startProgram({ command, detached: true });
  process.kill(program.pid, "SIGKILL");
  await program.exited;
  expect(await program.stop()).toBe("SIGKILL");
  expect(program.output()).toContain("told to stop");
});
