import cors from "cors";
import type { RequestHandler } from "express";
import type { HttpOptions } from "../deps.js";

const extensionOrigin = /^(?:chrome|moz|safari-web)-extension:\/\//;

/** Cross-origin access for the origins that the operator lists; none by default. */
export function crossOrigin({ corsOrigins, corsExtensions }: HttpOptions): RequestHandler {
  const listed = new Set(corsOrigins);
  const isAllowed = (origin: string) => listed.has(origin) || (corsExtensions && extensionOrigin.test(origin));
  const allow = cors({
    methods: ["GET", "HEAD", "POST", "PUT", "DELETE"],
    allowedHeaders: ["Authorization", "Content-Type", "Content-Encoding", "X-Request-Id"],
    exposedHeaders: ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id", "Retry-After"],
    maxAge: 600,
    origin: true,
  });
  return (req, res, next) => {
    const { origin } = req.headers;
    if (listed.size > 0 || corsExtensions) res.vary("Origin");
    if (origin !== undefined && isAllowed(origin)) allow(req, res, next);
    else next();
  };
}
