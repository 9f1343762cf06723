import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { type WelcomeFacts, welcomeText } from "./serve.js";

const firstKey = { userId: "usr_ada", key: `psk_01HZX3Y9K8M7N6P5Q4R3S2T1V0_${"k".repeat(43)}` };

const facts: WelcomeFacts = {
  baseUrl: "http://127.0.0.1:3000/api/v1",
  firstKey,
  startedInMs: 412.3,
  now: Date.UTC(2026, 0, 31, 12, 34, 56, 789),
  messageId: "msg_1",
  privacy: "minimum level filtered, policy file /etc/periscope/privacy.json",
  command: (words) => `periscope ${words}`,
};

test.each(["http://[::1]:3000/api/v1", "https://p.example/it's $HOME;`id`/api/v1"])("quotes the address %s for the shell", (baseUrl) => {
  const lines = welcomeText({ ...facts, baseUrl }).split("\n");
  const curl = lines.filter((line) => line.startsWith("curl ")).join("\n");
  const words = execFileSync("sh", ["-c", `curl() { for word; do printf '%s\\n' "$word"; done; }; ${curl}`], { encoding: "utf8" });
  expect(words).toContain(`\n${baseUrl}/context/sync\n`);
  expect(words).toContain(`\n${baseUrl}/context/search?query=lighthouse\n`);
});
