import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { bounds } from "./bounds.js";
import { contextAnswer } from "./context-answer.js";
import type { McpServerOptions } from "./create-server.js";
import { reportedFailure } from "./failure.js";

/** Address of the resource that hosts subscribe to. */
export const currentUri = "periscope://current";

/**
 * What the person looks at, as a resource: hosts that subscribe to it hear when the person turns to another page. Fenced and bounded as an
 * answer of `get_current_context` is.
 */
export function addCurrentResource(server: McpServer, { source, onUnexpected }: Pick<McpServerOptions, "source" | "onUnexpected">): void {
  const about = {
    title: "What the user looks at",
    description:
      "The page viewed last, fenced as text of a web page, the first 12,000 characters. Subscribe to it to hear when it changes.",
    mimeType: "text/plain",
  };
  server.registerResource("current", currentUri, about, async (uri, { mcpReq }) => {
    try {
      const fetch = (maxChars: number) => source.current({ maxChars }, { signal: mcpReq.signal });
      const answer = await contextAnswer(fetch, bounds.maxCharsDefault);
      return { contents: [{ uri: uri.href, mimeType: "text/plain", text: answer?.text ?? "Nothing has been captured yet." }] };
    } catch (error) {
      throw new ProtocolError(ProtocolErrorCode.InternalError, reportedFailure(error, onUnexpected));
    }
  });
}

/**
 * Sends `notifications/resources/updated` while the server is connected: at once for a connection of the protocol of 2026, whose subscriptions
 * its transport keeps, else from the first `resources/subscribe` on.
 */
export function sendUpdates(server: McpServer, { source, updates }: Pick<McpServerOptions, "source" | "updates">): void {
  const { follow } = source;
  if (!follow || updates === undefined) return;
  let ending: AbortController | undefined;
  const start = () => {
    if (ending || updates === "elsewhere") return;
    const mine = (ending = new AbortController());
    const send = () => void server.server.sendResourceUpdated({ uri: currentUri }).catch(() => {});
    const onEnd = () => {
      // One that was ended says so late, when another may have begun.
      if (ending === mine) ending = undefined;
    };
    follow(send, { signal: mine.signal, onEnd });
  };
  const check = (uri: string) => {
    if (uri !== currentUri) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Only ${currentUri} can be subscribed to.`);
  };
  server.server.setRequestHandler("resources/subscribe", ({ params }) => {
    check(params.uri);
    start();
    return {};
  });
  server.server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    check(params.uri);
    if (updates !== "on-subscribe") return {};
    ending?.abort();
    ending = undefined;
    return {};
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is the one way to hear of it
  server.server.onclose = () => ending?.abort();
  if (updates === "at-once") start();
}
