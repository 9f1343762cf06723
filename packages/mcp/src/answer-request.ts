import { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { createMcpServer, type McpServerOptions } from "./create-server.js";

/**
 * Answers one POST of MCP's streamable HTTP transport, without sessions and without streams: every request stands by itself, so that any
 * server process can answer it. Whose request it is, and whether it may be made, was decided before.
 * @param request its headers say which version of the protocol it is of; its body is not read
 * @param message the body, as parsed JSON
 * @returns JSON, or no body for what needs no answer
 */
export async function answerMcpRequest(request: Request, message: unknown, options: McpServerOptions): Promise<Response> {
  // The handler of the SDK would answer versions before 2026-07-28 by a stream of events.
  if (await isLegacyRequest(request, message)) {
    const server = createMcpServer(options);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody: message });
    } finally {
      await server.close();
    }
  }
  // Nothing that could be subscribed to changes. Its answers are JSON too, as no tool tells of its progress.
  const handler = createMcpHandler(() => createMcpServer(options), { legacy: "reject", maxSubscriptions: 0 });
  return await handler.fetch(request, { parsedBody: message });
}
