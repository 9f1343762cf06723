import { expect, test } from "vitest";
import { startProgram } from "./program.ts";

test("stops what a program of its own group has started, also after the program itself has ended", async () => {
  const command = ["sh", "-c", "sleep 600 & echo listening at http://127.0.0.1:1; wait"];
  await using program = await startProgram({ command, detached: true });
  process.kill(program.pid, "SIGKILL");
  await program.exited;
  expect(await program.stop()).toBe("SIGKILL");
});
