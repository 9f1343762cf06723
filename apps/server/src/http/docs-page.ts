import type { OpenApiDocument } from "./openapi-types.js";

/** A page and the headers to send with it. */
export interface DocsPage {
  html: string;
  headers: Record<string, string>;
}

/** Renders the reference page of `document`: one file of HTML that works without network and loads nothing. */
export function createDocsPage(document: OpenApiDocument): DocsPage {
  const title = document.info.title.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return {
    html: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1></html>`,
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": "default-src 'none'" },
  };
}
