import type { FirstKey } from "../access/access.service.js";
import { shellWord } from "./terminal.js";

/** What the greeting of a started server depends on. */
export interface WelcomeFacts {
  /** Base address with the version prefix, such as `http://127.0.0.1:3000/api/v1`. */
  baseUrl: string;
  /** The key that this start created; null on every later one. */
  firstKey: FirstKey | null;
  /** Milliseconds from the start of the process to listening. */
  startedInMs: number;
  /** The server's clock, in milliseconds since the epoch. */
  now: number;
  /** A message id that was never used. */
  messageId: string;
  /** The operator's privacy policy, in a few words. */
  privacy: string;
  /** A command to type, with the flags that name this data. */
  command: (words: string) => string;
}

/** What `periscope serve` prints once it listens. Each curl command is one line, for any POSIX shell. */
export function welcomeText(facts: WelcomeFacts): string {
  const { baseUrl, firstKey, startedInMs, privacy, command } = facts;
  const lines = [
    `Periscope is listening at ${baseUrl} (started in ${Math.round(startedInMs)} ms).`,
    `API reference: ${baseUrl}/docs`,
    `Privacy: ${privacy}.`,
    "",
  ];
  if (firstKey === null) {
    lines.push("To create an API key (the first command lists the users):", "");
    lines.push(command("users list"), command("keys create --user USER --scopes read,write,delete"));
  } else {
    const { userId, key } = firstKey;
    lines.push(
      `This is the first start. It created user ${userId} with this API key. Save it now, it is not shown again.`,
      "",
      `  ${key}`,
      "",
    );
    lines.push("Sync a page:", "", syncCommand(facts, key), "");
    lines.push(
      "Find it:",
      "",
      `curl -sS ${shellWord(`${baseUrl}/context/search?query=lighthouse`)} ${header(`Authorization: Bearer ${key}`)}`,
    );
  }
  return `${lines.join("\n")}\n`;
}

const header = (text: string): string => `-H ${shellWord(text)}`;

function syncCommand({ baseUrl, now, messageId }: WelcomeFacts, key: string): string {
  const timestamp = new Date(now).toISOString();
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
        tabMetadata: { id: "1", url: "https://example.com/lighthouses", title: "How lighthouses work" },
      },
    },
  };
  const headers = `${header(`Authorization: Bearer ${key}`)} ${header("Content-Type: application/json")}`;
  return `curl -sS ${shellWord(`${baseUrl}/context/sync`)} ${headers} -d ${shellWord(JSON.stringify(message))}`;
}
