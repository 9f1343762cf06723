import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname } from "node:path";
import type { Request, RequestHandler, Response } from "express";
import { methodNotAllowed } from "../domain-error.js";
import { sendError } from "../http/answers.js";
import { fixedPage, type Page } from "../http/pages.js";
import { stateOf } from "../http/request-log.js";

/** First parts of the paths that are pages of the portal. */
const pages = new Set(
  "contexts explore keys devices privacy data usage people system sign-in setup invite pair authorize account".split(" "),
);

/** Radix writes a style element while a dialog is open, hence `unsafe-inline` for styles. Requests can go to this server only. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const headers = { "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin" };

/** What the build writes beside a file for clients that take it, the smallest first. */
const encodings = [
  { name: "br", ending: ".br" },
  { name: "gzip", ending: ".gz" },
];

/** The files of the built portal. */
interface Build {
  index: Page;
  /** The same page, which says by itself that there is none at an address. */
  missing: Page;
  /** Names of the files below `/assets`. */
  assets: ReadonlySet<string>;
}

/**
 * Serves the built portal: its page at every path of its own, and the files that the page loads. They are read on first use. A browser that
 * is led to any other path gets the page too, as not found; programs are answered by what comes after.
 */
export function portalPages(): RequestHandler {
  const directory = buildDirectory();
  let loading: Promise<Build> | undefined;
  const load = async (): Promise<Build> => {
    const [html, assets] = await Promise.all([readFile(new URL("index.html", directory)), readdir(new URL("assets/", directory))]);
    const pageHeaders = {
      ...headers,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": contentSecurityPolicy,
    };
    const missing = fixedPage(html, { ...pageHeaders, Vary: "Accept" }, 404);
    return { index: fixedPage(html, pageHeaders), missing, assets: new Set(assets) };
  };

  return async (req, res, next) => {
    const [, first = "", ...rest] = req.path.split("/");
    const isPage = req.path === "/" || req.path === "/api" || pages.has(first);
    const isAsset = first === "assets" && rest.length === 1;
    const isLost = req.method === "GET" && req.accepts(["json", "html"]) === "html";
    if (!isPage && !isAsset && !isLost) return next();
    const { index, missing, assets } = await (loading ??= load());
    if (!isPage && !isAsset) return await missing(req, res);
    const [name = ""] = rest;
    if (!isPage && !assets.has(name)) return next();
    stateOf(res).route = isPage ? "/" : "/assets/{file}";
    if (req.method !== "GET" && req.method !== "HEAD") return sendError(res, methodNotAllowed(req.path, ["GET", "HEAD"]));
    if (isPage) return await index(req, res);
    await sendAsset(req, res, { directory, assets, name });
  };
}

/** A file's name has a hash of its content, so that it never changes. */
async function sendAsset(
  req: Request,
  res: Response,
  { directory, assets, name }: Pick<Build, "assets"> & { directory: URL; name: string },
): Promise<void> {
  const encoding = encodings.find((each) => assets.has(name + each.ending) && req.acceptsEncodings(each.name));
  const body = await readFile(new URL(`assets/${name}${encoding?.ending ?? ""}`, directory));
  res.type(extname(name)).writeHead(200, {
    ...headers,
    "Content-Length": body.length,
    "Cache-Control": "public, max-age=31536000, immutable",
    Vary: "Accept-Encoding",
    ...(encoding && { "Content-Encoding": encoding.name }),
  });
  res.end(body);
}

/** The build copies the portal beside the server's code; from source it is where it was built. */
function buildDirectory(): URL {
  const copied = new URL("portal/", import.meta.url);
  return existsSync(new URL("index.html", copied)) ? copied : new URL("../../../portal/dist/", import.meta.url);
}
