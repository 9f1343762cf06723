import { execFileSync } from "node:child_process";
import { SyncMessage } from "@periscope/schemas";
import { expect, test } from "vitest";
import { welcomeText, type WelcomeFacts } from "./welcome.js";

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

/** The words that a POSIX shell makes of the line that starts with `start`. */
function wordsOf(text: string, start: RegExp): string[] {
  const line = text.split("\n").find((candidate) => start.test(candidate));
  const out = execFileSync("sh", ["-c", `curl() { for word; do printf '%s\\0' "$word"; done; }; ${line}`], { encoding: "utf8" });
  return out.split("\0").slice(0, -1);
}

test("prints address, API reference, privacy policy and start time", () => {
  for (const text of [welcomeText(facts), welcomeText({ ...facts, firstKey: null })]) {
    expect(text).toContain("listening at http://127.0.0.1:3000/api/v1 (started in 412 ms).");
    expect(text).toContain("http://127.0.0.1:3000/api/v1/docs");
    expect(text).toContain("Privacy: minimum level filtered, policy file /etc/periscope/privacy.json.\n");
    expect(text).toMatch(/[^\n]\n$/);
  }
});

test("prints user and key at the first start", () => {
  const text = welcomeText(facts);
  expect(text).toContain("usr_ada");
  expect(text).toContain(`\n  ${firstKey.key}\n`);
});

test("prints no key at a later start, but how to create one", () => {
  const text = welcomeText({ ...facts, firstKey: null });
  expect(text).not.toContain("psk_");
  expect(text).toMatch(/^periscope keys create --user USER --scopes read,write,delete$/m);
  expect(text).toMatch(/^periscope users list$/m);
});

test("prints a curl command with a valid message", () => {
  const [silent, url, ...rest] = wordsOf(welcomeText(facts), /^curl .*\/context\/sync/);
  expect([silent, url]).toEqual(["-sS", "http://127.0.0.1:3000/api/v1/context/sync"]);
  expect(rest.slice(0, 5)).toEqual(["-H", `Authorization: Bearer ${firstKey.key}`, "-H", "Content-Type: application/json", "-d"]);
  const message = JSON.parse(rest[5] ?? "");
  expect(message).toMatchObject({
    id: "msg_1",
    timestamp: "2026-01-31T12:34:56.789Z",
    payload: { context: { capturedAt: "2026-01-31T12:34:56.789Z" } },
  });
  expect(SyncMessage.safeParse(message)).toMatchObject({ success: true });
  expect(rest).toHaveLength(6);
});

test("prints a curl command that finds the page", () => {
  const [, url, ...rest] = wordsOf(welcomeText(facts), /^curl .*\/context\/search/);
  expect(rest).toEqual(["-H", `Authorization: Bearer ${firstKey.key}`]);
  const word = new URL(url ?? "").searchParams.get("query") ?? "";
  const [, , , , , , , body] = wordsOf(welcomeText(facts), /^curl .*\/context\/sync/);
  expect(JSON.parse(body ?? "").payload.context.content).toContain(word);
});

test.each(["http://[::1]:3000/api/v1", "https://p.example/it's $HOME;`id`/api/v1"])("quotes the address %s for the shell", (baseUrl) => {
  const text = welcomeText({ ...facts, baseUrl });
  expect(wordsOf(text, /^curl .*\/context\/sync/)[1]).toBe(`${baseUrl}/context/sync`);
  expect(wordsOf(text, /^curl .*\/context\/search/)[1]).toBe(`${baseUrl}/context/search?query=lighthouse`);
});
