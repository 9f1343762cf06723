import cors from "cors";
import type { RequestHandler } from "express";
import type { HttpOptions } from "../deps.js";

/** Headers of MCP's streamable HTTP transport. */
const mcpHeaders = ["Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"];

const extensionOrigin = /^(?:chrome|moz|safari-web)-extension:\/\//;

/** Whether the operator allows an origin. */
export function originCheck({
  corsOrigins,
  corsExtensions,
}: Pick<HttpOptions, "corsOrigins" | "corsExtensions">): (origin: string) => boolean {
  const listed = new Set(corsOrigins);
  return (origin) => listed.has(origin) || (corsExtensions && extensionOrigin.test(origin));
}

/** Cross-origin access for the origins that the operator allows; none by default. */
export function crossOrigin({ corsOrigins, corsExtensions }: HttpOptions): RequestHandler {
  const isAllowed = originCheck({ corsOrigins, corsExtensions });
  const allow = cors({
    methods: ["GET", "HEAD", "POST", "PUT", "DELETE"],
    allowedHeaders: ["Authorization", "Content-Type", "Content-Encoding", "X-Request-Id", ...mcpHeaders],
    exposedHeaders: ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id", "Retry-After"],
    maxAge: 600,
    origin: true,
  });
  return (req, res, next) => {
    const { origin } = req.headers;
    if (corsOrigins.length > 0 || corsExtensions) res.vary("Origin");
    if (origin !== undefined && isAllowed(origin)) allow(req, res, next);
    else next();
  };
}
