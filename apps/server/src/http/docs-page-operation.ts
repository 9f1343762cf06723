import { curlCommand } from "./docs-page-curl.js";
import { type Html, html, join } from "./docs-page-html.js";
import { codeBlock, fieldList, fieldRow, typeText } from "./docs-page-schema.js";
import { inline, jsonText, richText } from "./docs-page-text.js";
import type { Example, MediaType, OpenApiDocument, OpenApiResponse, Operation, Reference } from "./openapi-types.js";

/** An operation with its place in the document. */
export interface PlacedOperation {
  method: string;
  path: string;
  operation: Operation;
}

export function operationId({ operation }: PlacedOperation): string {
  return `op-${operation.operationId}`;
}

export function methodBadge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** Everything about one operation, as a section of the page. */
export function operationSection(placed: PlacedOperation, document: OpenApiDocument): Html {
  const { method, path, operation } = placed;
  const id = operationId(placed);
  const baseUrl = document.servers[0]?.url ?? "";
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
    <h3 id="${id}-title"><a class="anchor" href="#${id}">${operation.summary}</a></h3>
    <p class="route">${methodBadge(method)} <code>${path}</code></p>
    <div class="columns">
      <div>${richText(operation.description)} ${parametersPart(operation)} ${requestPart(operation, document)}</div>
      <div class="try">
        <h4>curl</h4>
        ${codeBlock(curlCommand({ baseUrl, method, path, operation }), `curl command: ${operation.summary}`)}
      </div>
      <div>
        <h4>Answers</h4>
        ${Object.entries(operation.responses).map(([status, response]) => responsePart({ status, response, document }))}
      </div>
    </div>
  </section>`;
}

function parametersPart({ parameters = [] }: Operation): Html | undefined {
  if (parameters.length === 0) return undefined;
  return html`<h4>Parameters</h4>
    <dl class="fields">
      ${parameters.map(({ name, schema, description, required, in: place, example }) =>
        fieldRow({ name, schema, description, required, note: place, example }),
      )}
    </dl>`;
}

function requestPart({ requestBody }: Operation, document: OpenApiDocument): Html | undefined {
  const media = requestBody?.content["application/json"];
  if (!requestBody || !media) return undefined;
  return html`<h4>
      Body
      <span class="type">${typeText(media.schema)}</span>${requestBody.required ? html` <span class="required">required</span>` : undefined}
    </h4>
    ${richText(requestBody.description)}${mediaPart(media, document)}`;
}

interface ResponsePart {
  status: string;
  response: OpenApiResponse | Reference;
  document: OpenApiDocument;
}

function responsePart({ status, response, document }: ResponsePart): Html {
  const { description, headers, content } = pointedAt(response, document.components.responses);
  const media = content?.["application/json"];
  const [firstLine = "", ...rest] = description.split("\n\n");
  // The fields of the error body are the same everywhere: its type is a link to them.
  const body = media && (status.startsWith("2") ? mediaPart(media, document) : examplesPart(media));
  return html`<details class="answer">
    <summary><span class="status s${status.charAt(0)}">${status}</span> <span>${inline(firstLine)}</span></summary>
    ${rest.length > 0 ? richText(rest.join("\n\n")) : undefined}
    ${
      media
        ? html`<h5>Body <span class="type">${typeText(media.schema)}</span></h5>
            ${body}`
        : html`<p>No body.</p>`
    }
    <h5>Headers</h5>
    <p class="bounds">
      ${join(
        Object.keys(headers).map((name) => html`<a href="#${headerId(name)}">${name}</a>`),
        ", ",
      )}
    </p>
  </details>`;
}

/** The headers that answers carry, which the answers link to. */
export function headersSection({ components }: OpenApiDocument): Html {
  return html`<dl class="fields">
    ${Object.entries(components.headers).map(([name, { schema, description, example }]) =>
      fieldRow({ id: headerId(name), name, schema, description, required: false, example }),
    )}
  </dl>`;
}

function headerId(name: string): string {
  return `header-${name}`;
}

function mediaPart(media: MediaType, document: OpenApiDocument): Html {
  const fields = fieldList(pointedAt(media.schema, document.components.schemas));
  return html`${
    fields &&
    html`<details>
      <summary>Fields</summary>
      ${fields}
    </details>`
  }${examplesPart(media)}`;
}

function examplesPart({ examples = {} }: MediaType): Html {
  return html`${Object.entries(examples).map(([name, example]) => examplePart(name, example))}`;
}

function examplePart(name: string, { summary = "Example", value }: Example): Html {
  const title = summary === "Example" ? summary : `Example: ${summary}`;
  return html`<details>
    <summary>${title}</summary>
    ${codeBlock(jsonText(value), `${title} (${name})`)}
  </details>`;
}

/** What a reference into a group of components points at, or the thing itself. */
function pointedAt<T extends object>(target: T | Reference, components: Record<string, T>): T {
  if (!("$ref" in target) || typeof target.$ref !== "string") return target as T;
  const found = components[target.$ref.slice(target.$ref.lastIndexOf("/") + 1)];
  if (!found) throw new Error(`${target.$ref} points at nothing`);
  return found;
}
