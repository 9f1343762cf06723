import type { FirstKey } from "../access/access.service.js";
import { shellWord } from "./terminal.js";

/** What the greeting of a server that has just started depends on. */
export interface WelcomeFacts {
  /** Base address with the version prefix, such as `http://127.0.0.1:3000/api/v1`. */
  baseUrl: string;
  /** Made by this start; null on every later one. */
  firstKey: FirstKey | null;
  /** Milliseconds from the start of the process to listening. */
  startedInMs: number;
  /** The server's clock, in milliseconds since the epoch. */
  now: number;
  /** A message id that was never used. */
  messageId: string;
  /** The operator's privacy policy, in a few words. */
  privacy: string;
  /** How the command is typed again, with the flags that name this data. */
  command: (words: string) => string;
}

/** What `periscope serve` prints once it listens. The curl lines are one line each, for any POSIX shell. */
export function welcomeText(facts: WelcomeFacts): string {
  const { baseUrl, firstKey, startedInMs, privacy, command } = facts;
  const head = [
    `Periscope is listening at ${baseUrl} (started in ${Math.round(startedInMs)} ms).`,
    `Reference of the API: ${baseUrl}/docs`,
    `Privacy: ${privacy}.`,
  ];
  const body = firstKey === null ? laterStart(command) : firstStart(facts, firstKey);
  return `${[...head, "", ...body].join("\n")}\n`;
}

function laterStart(command: WelcomeFacts["command"]): string[] {
  return [
    "To make an API key (the first command shows who there is):",
    "",
    command("users list"),
    command("keys create --user USER --scopes read,write,delete"),
  ];
}

function firstStart(facts: WelcomeFacts, { userId, key }: FirstKey): string[] {
  return [
    `This is the first start: user ${userId} was made, with this API key. Keep it now, it is not shown again.`,
    "",
    `  ${key}`,
    "",
    "Sync a page:",
    "",
    syncCommand(facts, key),
    "",
    "Find it:",
    "",
    `curl -sS ${shellWord(`${facts.baseUrl}/context/search?query=lighthouse`)} -H ${shellWord(`Authorization: Bearer ${key}`)}`,
  ];
}

function syncCommand({ baseUrl, now, messageId }: WelcomeFacts, key: string): string {
  const timestamp = new Date(now).toISOString();
  const page = { url: "https://example.com/lighthouses", title: "How lighthouses work" };
  const message = {
    id: messageId,
    type: "create",
    timestamp,
    payload: {
      type: "context",
      operation: "create",
      context: {
        type: "page",
        tabId: "1",
        capturedAt: timestamp,
        content: "A lighthouse lens bends the light of a small lamp into a beam that is seen for miles.",
        tabMetadata: { id: "1", ...page },
      },
    },
  };
  const headers = [`Authorization: Bearer ${key}`, "Content-Type: application/json"];
  return `curl -sS ${shellWord(`${baseUrl}/context/sync`)} ${headers.map((header) => `-H ${shellWord(header)}`).join(" ")} -d ${shellWord(JSON.stringify(message))}`;
}
