import { BlockList, isIPv4 } from "node:net";
import type { Request, RequestHandler, Response } from "express";
import type { Deps } from "../deps.js";
import { keylessPage } from "./keyless-page.js";

/** Of these a reverse proxy sends at least one, so that whoever asks through it is not taken for someone on this machine. */
const forwardingHeaders = ["forwarded", "via", "x-forwarded-for", "x-real-ip"];

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** `GET /metrics` for those who may read it; to all others the path does not exist. */
export function metricsPage({ metrics, http: { metricsReaders } }: Pick<Deps, "metrics" | "http">): RequestHandler {
  const page = keylessPage("/metrics", async (_req: Request, res: Response) => {
    const { contentType, text } = await metrics.exposition();
    res.setHeader("Cache-Control", "no-store");
    res.setHeader("Content-Type", contentType);
    res.end(text);
  });
  return (req, res, next) => {
    if (metricsReaders === "any" || (metricsReaders === "local" && isLocal(req))) return page(req, res, next);
    next();
  };
}

function isLocal({ socket, headers }: Request): boolean {
  const { remoteAddress } = socket;
  if (remoteAddress === undefined || forwardingHeaders.some((name) => headers[name] !== undefined)) return false;
  // BlockList knows an IPv4 address that is written as IPv6 (::ffff:127.0.0.1) too.
  return loopback.check(remoteAddress, isIPv4(remoteAddress) ? "ipv4" : "ipv6");
}
