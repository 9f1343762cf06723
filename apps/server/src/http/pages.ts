import { BlockList, isIPv4 } from "node:net";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Request, RequestHandler, Response } from "express";
import type { Deps } from "../deps.js";
import { DomainError, methodNotAllowed, unavailable } from "../domain-error.js";
import { namesThisMachine } from "./admission.js";
import { sendError, sendJson, shuttingDown } from "./answers.js";
import { findFault } from "../storage/faults.js";
import { stateOf } from "./request-log.js";
import asyncApi from "../../asyncapi.json" with { type: "json" };
import openApi from "../../openapi.json" with { type: "json" };

/** Answers GET and HEAD of one path. */
export type Page = (req: Request, res: Response) => void | Promise<void>;

/** Serves pages by their exact path: without a key, a budget or rate headers. */
export function keylessPages(
  pages: ReadonlyMap<string, { route: string; page: Page; isVisible?: (req: Request) => boolean }>,
): RequestHandler {
  return (req, res, next) => {
    const found = pages.get(req.path);
    if (!found || found.isVisible?.(req) === false) return next();
    stateOf(res).route = found.route;
    if (req.method === "GET" || req.method === "HEAD") return found.page(req, res);
    sendError(res, methodNotAllowed(found.route, ["GET", "HEAD"]));
  };
}

/** `GET /healthz`: the process answers. */
export const healthz: Page = (_req, res) => sendJson(res, 200, { status: "ok" });

const freshMs = 2_000;

/** How long a check may take before the database counts as not responding. */
const checkMs = 5_000;

/**
 * `GET /readyz`: 200 while requests can be served, else 503 with the reason. Checks the database at most every 2 seconds, and never twice
 * at a time.
 */
export function readyz({ ping, isDraining }: Pick<Deps, "ping" | "isDraining">): Page {
  let check: Promise<unknown> | undefined;
  let isChecking = false;
  let checkedAt = -Infinity;

  const startCheck = (): Promise<unknown> => {
    isChecking = true;
    const failure = ping().then(
      () => undefined,
      (error: unknown) => error ?? new Error("the database check failed without an error"),
    );
    const overdue = Promise.withResolvers<unknown>();
    const timer = setTimeout(overdue.resolve, checkMs, new Error("the database check takes too long"));
    void failure.finally(() => {
      isChecking = false;
      clearTimeout(timer);
    });
    return Promise.race([failure, overdue.promise]);
  };

  return async (_req, res) => {
    if (isDraining()) return sendError(res, shuttingDown);
    const now = performance.now();
    if (!isChecking && now - checkedAt > freshMs) {
      checkedAt = now;
      check = startCheck();
    }
    const failure = await check;
    if (failure === undefined) return sendJson(res, 200, { status: "ready" });
    const reason = findFault(failure)?.what ?? (failure instanceof DomainError ? failure.message : "The database does not respond.");
    sendError(res, unavailable(reason, 5, failure));
  };
}

/** `GET /metrics`, in Prometheus' text format. */
export function metricsPage({ metrics }: Pick<Deps, "metrics">): Page {
  return async (_req, res) => {
    const { contentType, text } = await metrics.exposition();
    res.setHeader("Cache-Control", "no-store");
    res.setHeader("Content-Type", contentType);
    res.end(text);
  };
}

/** Who may read `/metrics`; for all others the path does not exist. */
export function metricsReader({ metricsReaders }: Deps["http"]): (req: Request) => boolean {
  return (req) => metricsReaders === "any" || (metricsReaders === "local" && isLocal(req));
}

/** A reverse proxy sends at least one of them: its clients must not pass for this machine. */
const forwardingHeaders = ["forwarded", "via", "x-forwarded-for", "x-real-ip"];

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

function isLocal(req: Request): boolean {
  const { remoteAddress } = req.socket;
  // A proxy that sends none of the headers mostly passes on the Host.
  if (remoteAddress === undefined || !namesThisMachine(req) || forwardingHeaders.some((name) => req.headers[name] !== undefined))
    return false;
  // BlockList also knows IPv4 addresses written as IPv6 (::ffff:127.0.0.1).
  return loopback.check(remoteAddress, isIPv4(remoteAddress) ? "ipv4" : "ipv6");
}

/** `GET /api/v1/openapi.json`: the committed document, with this server's address. */
export function openApiPage(publicUrl: string): Page {
  const body = JSON.stringify({ ...openApi, servers: [{ url: publicUrl, description: "This installation" }] });
  return fixedPage(Buffer.from(body), { "Content-Type": "application/json; charset=utf-8" });
}

/** `GET /api/v1/asyncapi.json`: the committed document of the live channel, with this server's address. */
export function asyncApiPage(publicUrl: string): Page {
  const { protocol, host, pathname } = new URL(publicUrl);
  const installation = { ...asyncApi.servers.installation, host, pathname, protocol: protocol === "https:" ? "wss" : "ws" };
  const body = JSON.stringify({ ...asyncApi, servers: { installation } });
  return fixedPage(Buffer.from(body), { "Content-Type": "application/json; charset=utf-8" });
}

/** Everything that could contact another host, or send a reader there, is off. */
const scalarOptions = {
  url: "openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  // It would keep a theme for ever, whatever the page around it and the system have.
  hideDarkModeToggle: true,
  showDeveloperTools: "never",
  documentDownloadType: "json",
  persistAuth: false,
  authentication: { preferredSecurityScheme: "bearerAuth" },
  metaData: { title: "Periscope API reference" },
};

/** Scalar writes its own style elements, hence `unsafe-inline` for styles. Requests can go to this server only. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  // The portal shows it in a frame.
  "frame-ancestors 'self'",
].join("; ");

/** `GET /api/v1/docs`: the reference as a page that can send requests. It loads nothing from other hosts. */
export function docsPage(publicUrl: string): Page {
  // Requests go to the origin that the page was opened at, whichever of the server's names that is.
  const options = { ...scalarOptions, servers: [{ url: new URL(publicUrl).pathname, description: "This installation" }] };
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Periscope API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <noscript>This page needs JavaScript. The same reference for programs: <a href="openapi.json">openapi.json</a></noscript>
    <script id="api-reference" data-configuration="${escapeHtml(JSON.stringify(options))}"></script>
    <script src="docs/scalar.js"></script>
  </body>
</html>
`;
  return fixedPage(Buffer.from(html), {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": contentSecurityPolicy,
    "Referrer-Policy": "no-referrer",
  });
}

/** `GET /api/v1/docs/scalar.js`: Scalar's browser bundle, read on first use and kept, so that clients which do not read share its memory. */
export function scalarPage(): Page {
  const headers = { "Content-Type": "text/javascript; charset=utf-8", Vary: "Accept-Encoding" };
  const pages = new Map<boolean, Page>();
  const load = async (isGzip: boolean) => {
    const script = await readFile(scalarFile());
    const page = isGzip ? fixedPage(await promisify(gzip)(script), { ...headers, "Content-Encoding": "gzip" }) : fixedPage(script, headers);
    pages.set(isGzip, page);
    return page;
  };
  return async (req, res) => {
    const takesGzip = /\bgzip\b/.test(req.headers["accept-encoding"] ?? "");
    const page = pages.get(takesGzip) ?? (await load(takesGzip));
    await page(req, res);
  };
}

/** The build copies the bundle beside the server's code; from source it is in the installed package. */
function scalarFile(): string {
  const copied = fileURLToPath(new URL("scalar.js", import.meta.url));
  return existsSync(copied) ? copied : fileURLToPath(new URL("browser/standalone.js", import.meta.resolve("@scalar/api-reference")));
}

/** A page that never changes while the server runs, with an ETag so that browsers load it once. */
export function fixedPage(body: Buffer, headers: Record<string, string>, status = 200): Page {
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  return (req: Request, res: Response) => {
    const cached = { ETag: etag, "Cache-Control": "no-cache" };
    // Proxies that compress make the tag weak, and clients may send several.
    if (req.headers["if-none-match"]?.includes(etag)) {
      res.writeHead(304, cached).end();
      return;
    }
    res.writeHead(status, { ...headers, "Content-Length": body.length, ...cached });
    res.end(body);
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
