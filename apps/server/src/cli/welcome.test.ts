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

const head = `Periscope is listening at http://127.0.0.1:3000/api/v1 (started in 412 ms).
API reference: http://127.0.0.1:3000/api/v1/docs
Privacy: minimum level filtered, policy file /etc/periscope/privacy.json.
`;

test("prints address, policy, user and key at the first start", () => {
  const text = welcomeText(facts);
  expect(text.startsWith(head)).toBe(true);
  expect(text).toContain("user usr_ada");
  expect(text).toContain(`\n  ${firstKey.key}\n`);
});

test("prints no key at a later start, but how to create one", () => {
  const text = welcomeText({ ...facts, firstKey: null });
  expect(text.startsWith(head)).toBe(true);
  expect(text).not.toContain("psk_");
  expect(text.split("\n").slice(-3)).toEqual(["periscope users list", "periscope keys create --user USER --scopes read,write,delete", ""]);
});

test.each(["http://[::1]:3000/api/v1", "https://p.example/it's $HOME;`id`/api/v1"])("quotes the address %s for the shell", (baseUrl) => {
  const lines = welcomeText({ ...facts, baseUrl }).split("\n");
  const curl = lines.filter((line) => line.startsWith("curl ")).join("\n");
  const words = execFileSync("sh", ["-c", `curl() { for word; do printf '%s\\n' "$word"; done; }; ${curl}`], { encoding: "utf8" });
  expect(words).toContain(`\n${baseUrl}/context/sync\n`);
  expect(words).toContain(`\n${baseUrl}/context/search?query=lighthouse\n`);
});
