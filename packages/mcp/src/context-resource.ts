import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceNotFoundError, ResourceTemplate } from "@modelcontextprotocol/server";
import { bounds } from "./bounds.js";
import { contextAnswer } from "./context-answer.js";
import { SourceError } from "./context-source.js";
import type { McpServerOptions } from "./create-server.js";
import { reportedFailure } from "./failure.js";

/**
 * Contexts by id, as resources. None is listed: hosts show names of resources, and those of pages would reach a model unfenced. Fenced and
 * bounded as an answer of `get_context` is.
 */
export function addContextResource(server: McpServer, { source, onUnexpected }: Pick<McpServerOptions, "source" | "onUnexpected">): void {
  const template = new ResourceTemplate("periscope://context/{id}", { list: undefined });
  const about = {
    title: "A viewed page",
    description: "One context by its id: what the user viewed, fenced as text of a web page, the first 12,000 characters.",
    mimeType: "text/plain",
  };
  server.registerResource("context", template, about, async (uri, { id }, { mcpReq }) => {
    try {
      const contextId = decoded(String(id));
      const fetch = (maxChars: number) => source.get(contextId, { maxChars }, { signal: mcpReq.signal });
      const { text } = await contextAnswer(fetch, bounds.maxCharsDefault);
      return { contents: [{ uri: uri.href, mimeType: "text/plain", text }] };
    } catch (error) {
      const message = reportedFailure(error, onUnexpected);
      if (error instanceof SourceError && error.code === "not_found") throw new ResourceNotFoundError(uri.href, message);
      const isTheirs = error instanceof SourceError && error.code === "bad_request";
      throw new ProtocolError(isTheirs ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError, message);
    }
  });
}

/** The id that stands in a resource's address. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch (cause) {
    throw new SourceError("bad_request", "The id in the address is not valid percent-encoding of UTF-8.", { cause });
  }
}
