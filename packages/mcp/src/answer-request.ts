import {
  createMcpHandler,
  isLegacyRequest,
  type ServerEventBus,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { currentUri } from "./current-resource.js";
import { createMcpServer, type McpServerOptions } from "./create-server.js";

/**
 * Answers one request of MCP's streamable HTTP transport, without sessions: every request stands by itself, so that any server process can
 * answer it. Whose request it is, and whether it may be made, was decided before. A GET (before 2026-07-28) and `subscriptions/listen` are
 * answered by a stream of `notifications/resources/updated`, which lasts until the signal or the source ends it.
 * @param request its headers say which version of the protocol it is of; its body is not read. Its signal ends the calls that it makes, and
 *   then this rejects, or answers what nobody reads
 * @param message the body, as parsed JSON; of a GET undefined
 * @throws what `follow` of the source throws
 * @returns JSON, a stream of events, or no body for what needs no answer
 *
 * @example
 * const answer = await answerMcpRequest(request, await request.clone().json(), { source, canDelete: false, version: "1.0.0" });
 */
export async function answerMcpRequest(request: Request, message: unknown, options: McpServerOptions): Promise<Response> {
  const isStream = request.method === "GET";
  // The handler of the SDK would answer versions before 2026-07-28 by a stream of events.
  if (isStream || (await isLegacyRequest(request, message))) {
    const server = createMcpServer({ ...options, updates: isStream ? "at-once" : "elsewhere" });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !isStream });
    await server.connect(transport);
    if (isStream) {
      const answer = await transport.handleRequest(request);
      // A refused request has no stream whose end would end what the server follows.
      if (!answer.ok || request.signal.aborted) await server.close();
      else request.signal.addEventListener("abort", () => void server.close(), { once: true });
      return answer;
    }
    try {
      return await Promise.race([transport.handleRequest(request, { parsedBody: message }), aborted(request.signal)]);
    } finally {
      // Ends the calls that are still under way.
      await server.close();
    }
  }
  let refusal: { thrown: unknown } | undefined;
  const bus = changesOf(options.source, (thrown) => (refusal = { thrown }));
  const handler = createMcpHandler(() => createMcpServer({ ...options, updates: "elsewhere" }), {
    legacy: "reject",
    maxSubscriptions: options.source.follow ? 1 : 0,
    bus,
  });
  // Its other answers are JSON, as no tool tells of its progress.
  const answer = await handler.fetch(request, { parsedBody: message });
  if (refusal) throw refusal.thrown;
  return answer;
}

/**
 * The changes of a source, for one `subscriptions/listen`.
 * @param onRefusal called with what the source throws, of which the SDK's handler would tell nothing
 */
function changesOf({ follow }: McpServerOptions["source"], onRefusal: (thrown: unknown) => void): ServerEventBus {
  return {
    publish() {},
    subscribe(listener) {
      const ending = new AbortController();
      try {
        follow?.(() => listener({ kind: "resource_updated", uri: currentUri }), { signal: ending.signal, onEnd() {} });
      } catch (thrown) {
        onRefusal(thrown);
        throw thrown;
      }
      return () => ending.abort();
    },
  };
}

/** Rejects when the signal says so; the transport would wait for ever for the answers of calls that were ended. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
