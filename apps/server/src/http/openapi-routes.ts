import { createHash } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import bundled from "../../openapi.json" with { type: "json" };
import { createDocsPage } from "./docs-page.js";
import type { OpenApiDocument } from "./openapi-types.js";

/** What the two keyless pages need to know of the installation. */
export interface OpenApiRoutesOptions {
  /** Base address of the interface with its version prefix, such as `https://periscope.example.org/api/v1`. */
  publicUrl: string;
}

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/** Answers `GET /api/v1/openapi.json`: the committed document, with `publicUrl` as its server. */
export function createOpenApiHandler(options: OpenApiRoutesOptions): Handler {
  const body = JSON.stringify(publicDocument(options));
  return fixedAnswer(body, {
    "content-type": "application/json; charset=utf-8",
    "x-content-type-options": "nosniff",
  });
}

/** Answers `GET /api/v1/docs`: the same document as a page to read, which loads nothing from anywhere. */
export function createDocsHandler(options: OpenApiRoutesOptions): Handler {
  const page = createDocsPage(publicDocument(options));
  return fixedAnswer(page.html, page.headers);
}

function publicDocument({ publicUrl }: OpenApiRoutesOptions): OpenApiDocument {
  // The import's own type is its thousands of literal keys; the drift test holds it equal to what the generator makes.
  const document = bundled as unknown as OpenApiDocument;
  return { ...document, servers: [{ url: publicUrl, description: "This installation" }] };
}

/** An answer that never changes while the server runs, with an ETag so that a browser need not load it twice. */
function fixedAnswer(text: string, headers: OutgoingHttpHeaders): Handler {
  const body = Buffer.from(text);
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  return (req, res) => {
    // A proxy that compresses makes the tag weak, and a client may send several.
    if (req.headers["if-none-match"]?.includes(etag)) {
      res.writeHead(304, { etag, "cache-control": "no-cache" }).end();
      return;
    }
    res.writeHead(200, { ...headers, "content-length": body.length, etag, "cache-control": "no-cache" });
    // A HEAD request keeps the headers; Node itself drops the body.
    res.end(body);
  };
}
