import { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { createMcpServer, type McpServerOptions } from "./create-server.js";

/**
 * Answers one POST of MCP's streamable HTTP transport, without sessions and without streams: every request stands by itself, so that any
 * server process can answer it. Whose request it is, and whether it may be made, was decided before.
 * @param request its headers say which version of the protocol it is of; its body is not read. Its signal ends the calls that it makes, and
 *   then this rejects, or answers what nobody reads
 * @param message the body, as parsed JSON
 * @returns JSON, or no body for what needs no answer
 *
 * @example
 * const answer = await answerMcpRequest(request, await request.clone().json(), { source, canDelete: false, version: "1.0.0" });
 */
export async function answerMcpRequest(request: Request, message: unknown, options: McpServerOptions): Promise<Response> {
  // The handler of the SDK would answer versions before 2026-07-28 by a stream of events.
  if (await isLegacyRequest(request, message)) {
    const server = createMcpServer(options);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await Promise.race([transport.handleRequest(request, { parsedBody: message }), aborted(request.signal)]);
    } finally {
      // Ends the calls that are still under way.
      await server.close();
    }
  }
  // Nothing that could be subscribed to changes. Its answers are JSON too, as no tool tells of its progress.
  const handler = createMcpHandler(() => createMcpServer(options), { legacy: "reject", maxSubscriptions: 0 });
  return await handler.fetch(request, { parsedBody: message });
}

/** Rejects when the signal says so; the transport would wait for ever for the answers of calls that were ended. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
