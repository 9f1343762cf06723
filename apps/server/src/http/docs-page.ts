import { createHash } from "node:crypto";
import { type Html, html, verbatim } from "./docs-page-html.js";
import { headersSection, methodBadge, operationId, operationSection, type PlacedOperation } from "./docs-page-operation.js";
import { schemaId, schemaSection } from "./docs-page-schema.js";
import { script } from "./docs-page-script.js";
import { style } from "./docs-page-style.js";
import { headingsOf, richText } from "./docs-page-text.js";
import type { OpenApiDocument } from "./openapi-types.js";

/** A page and the headers to send with it. */
export interface DocsPage {
  html: string;
  headers: Record<string, string>;
}

/**
 * Renders the reference of `document` as one file of HTML. It loads nothing, so it works without a network, and its
 * content security policy lets nothing run but its own style sheet and script, each named by its hash.
 */
export function createDocsPage(document: OpenApiDocument): DocsPage {
  const operations = operationsOf(document);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${document.info.title} API reference</title>
        <link rel="icon" href="data:," />
        ${styleElement}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <div class="page">
          ${navigation(document, operations)}
          <main id="content">
            ${introduction(document)}
            ${document.tags.map(
              ({ name, description }) =>
                html`<h2 id="tag-${name}">${name}</h2>
                  ${richText(description)}
                  ${operations.filter(({ operation }) => operation.tags.includes(name)).map((placed) => operationSection(placed, document))}`,
            )}
            <h2 id="headers">Headers of the answers</h2>
            ${headersSection(document)}
            <h2 id="schemas">Schemas</h2>
            ${Object.entries(document.components.schemas).map(([id, schema]) => schemaSection(id, schema))}
          </main>
        </div>
        ${scriptElement}
      </body>
    </html> `;
  return { html: page.text, headers: pageHeaders };
}

// As they stand: their hashes, by which the policy lets them in, count every blank.
const styleElement = verbatim(`<style>${style}</style>`);
const scriptElement = verbatim(`<script>${script}</script>`);

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

function introduction({ info, servers }: OpenApiDocument): Html {
  return html`<h1>${info.title} API reference</h1>
    <p class="lead">${info.summary}</p>
    <p>
      Version ${info.version} · licence ${info.license.name} · base address <code>${servers[0]?.url}</code> ·
      <a href="openapi.json">OpenAPI document</a>
    </p>
    ${richText(info.description)}`;
}

function navigation({ info, tags, components }: OpenApiDocument, operations: readonly PlacedOperation[]): Html {
  return html`<nav aria-label="Contents">
    <strong>${info.title}</strong>
    <details open>
      <summary>About</summary>
      <ul>
        ${headingsOf(info.description).map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
      </ul>
    </details>
    ${tags.map(
      ({ name }) =>
        html`<p class="group">${name}</p>
          <ul>
            ${operations
              .filter(({ operation }) => operation.tags.includes(name))
              .map(
                (placed) =>
                  html`<li>
                    <a href="#${operationId(placed)}">${methodBadge(placed.method)} <span>${placed.operation.summary}</span></a>
                  </li>`,
              )}
          </ul>`,
    )}
    <p class="group">Components</p>
    <ul>
      <li><a href="#headers">Headers</a></li>
    </ul>
    <details>
      <summary>${Object.keys(components.schemas).length} schemas</summary>
      <ul>
        ${Object.keys(components.schemas).map((id) => html`<li><a href="#${schemaId(id)}">${id}</a></li>`)}
      </ul>
    </details>
  </nav>`;
}

function operationsOf({ paths }: OpenApiDocument): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}
