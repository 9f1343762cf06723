import type { Words, WordsName } from "../words/words.js";
import type { ConnectionResult, Scope } from "./test-connection.js";

const scopeNames: Readonly<Record<Scope, WordsName>> = { read: "scopeRead", write: "scopeWrite", delete: "scopeDelete" };

/** What a test of the connection found, and what to do about it. */
export function connectionWords(words: Words, result: ConnectionResult): string {
  switch (result.is) {
    case "ok": {
      const may = result.scopes.map((scope) => words(scopeNames[scope])).join(words("listComma"));
      const canForget = result.scopes.includes("read") && result.scopes.includes("delete");
      return words(canForget ? "testOk" : "testOkNoDelete", may);
    }
    case "no-key":
      return words("testNoKey");
    case "unreachable":
      return words("testUnreachable");
    case "tls":
      return words("testTls");
    case "unreachable-or-tls":
      return words("testUnreachableTls");
    case "timeout":
      return words("testTimeout", result.seconds);
    case "wrong-address":
      return words("testWrongAddress");
    case "unauthorized":
      return words("testUnauthorized");
    case "scope":
      return words("testScope");
    case "rate-limited":
      return words("testRateLimited", result.seconds);
    case "server-error":
      return words("testServerError", result.status);
  }
}
