import { expect, test } from "vitest";
import { openShell } from "./shell-session.ts";

const open = (timeoutMs = 20_000) => openShell({ cwd: "/", environment: { PATH: process.env["PATH"] }, timeoutMs });

test("answers status and output of each command", async () => {
  await using shell = open();
  expect(await shell.run("echo one; echo two >&2; printf three")).toEqual({ status: 0, output: "one\ntwo\nthree" });
  expect(await shell.run("(exit 7)")).toEqual({ status: 7, output: "" });
});

test("keeps what a command set for the next one", async () => {
  await using shell = open();
  await shell.run("export NAME=lighthouse; cd /tmp");
  expect(await shell.run('echo "$NAME in $PWD"')).toMatchObject({ status: 0, output: "lighthouse in /tmp\n" });
});

test("gives a command nothing to read, so that it cannot wait or eat the next one", async () => {
  await using shell = open();
  expect(await shell.run("cat")).toEqual({ status: 0, output: "" });
  expect(await shell.run("echo next")).toMatchObject({ output: "next\n" });
});

test("a command that ends the shell has failed, and so have those after it", async () => {
  await using shell = open();
  expect((await shell.run("exit 0")).status).not.toBe(0);
  expect((await shell.run("echo next")).status).not.toBe(0);
});

test("stops a command that takes too long", async () => {
  await using shell = open(200);
  const { status, output } = await shell.run("sleep 60");
  expect(status).not.toBe(0);
  expect(output).toContain("took too long");
});
