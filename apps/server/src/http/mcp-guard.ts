import type { Request } from "express";
import type { HttpOptions, McpOptions } from "../deps.js";
import { forbidden } from "../domain-error.js";
import { originCheck } from "./cors.js";

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Host names under which `/mcp` answers: on a loopback address those of this machine and the public one, so that a name that an attacker
 * has pointed here is refused. On any other address every name: it is the operator's network that says who reaches it.
 */
export function mcpHosts(listenHost: string, publicUrl: string | null): readonly string[] | null {
  const isLoopback = listenHost === "::1" || /^(?:::ffff:)?127\./.test(listenHost);
  if (!isLoopback) return null;
  return publicUrl === null ? loopbackNames : [...loopbackNames, new URL(publicUrl).hostname];
}

/**
 * What MCP asks of a server against pages that call it behind the user's back (DNS rebinding): an Origin must be one that the operator
 * lists, or the service's own; a Host one of its names. Programs that are no browsers send no Origin. Throws `forbidden`.
 */
export function createMcpGuard(http: Pick<HttpOptions, "corsOrigins" | "corsExtensions" | "publicUrl">, { hosts }: McpOptions) {
  const isListed = originCheck(http);
  const ownOrigin = new URL(http.publicUrl).origin;
  return ({ headers: { origin, host = "" } }: Request): void => {
    if (origin !== undefined && origin !== ownOrigin && !isListed(origin))
      throw forbidden("Pages of this origin may not call /mcp; the operator can list it in CORS_ORIGINS.");
    const name = host.replace(/:\d+$/, "").toLowerCase();
    if (hosts !== null && !hosts.includes(name))
      throw forbidden(
        "This server listens for its own machine and does not answer under this Host; set PUBLIC_URL to the name it is reached by.",
      );
  };
}
