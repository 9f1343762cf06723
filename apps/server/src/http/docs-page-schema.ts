import { type Html, html, join } from "./docs-page-html.js";
import { inline, jsonText, richText } from "./docs-page-text.js";
import type { JsonSchema } from "./openapi-types.js";

/** One component schema as an article of its own, which the others link to. */
export function schemaSection(id: string, schema: JsonSchema): Html {
  const [example] = schema.examples ?? [];
  return html`<article class="schema" id="${schemaId(id)}">
    <h3><a class="anchor" href="#${schemaId(id)}">${id}</a> <span class="type">${typeText(schema)}</span></h3>
    ${richText(schema.description ?? "")} ${boundsText(schema)} ${fieldList(schema)}
    ${
      example === undefined
        ? undefined
        : html`<details>
            <summary>Example</summary>
            ${codeBlock(jsonText(example), `Example of ${id}`)}
          </details>`
    }
  </article>`;
}

/** The fields of an object schema with their types and texts; nothing for one without fields. */
export function fieldList({ properties, required = [] }: JsonSchema): Html | undefined {
  if (!properties) return undefined;
  return html`<dl class="fields">
    ${Object.entries(properties).map(([name, field]) =>
      fieldRow({ name, schema: field, description: field.description ?? "", required: required.includes(name) }),
    )}
  </dl>`;
}

interface FieldRow {
  name: string;
  schema: JsonSchema;
  description: string;
  required: boolean;
  /** Another word about it, such as where a parameter stands. */
  note?: string;
  example?: unknown;
  /** For links to the row. */
  id?: string;
}

export function fieldRow({ name, schema, description, required, note, example, id }: FieldRow): Html {
  const shown = example ?? (schema.properties ? undefined : schema.examples?.[0]);
  return html`<div class="field" ${id === undefined ? undefined : html` id="${id}"`}>
    <dt>
      <code class="name">${name}</code> <span class="type">${typeText(schema)}</span>${
        required ? html` <span class="required">required</span>` : undefined
      }${note === undefined ? undefined : html` <span class="note">${note}</span>`}
    </dt>
    <dd>
      ${richText(description)}${boundsText(schema)}${shown === undefined ? undefined : html`<p class="bounds">Example: <code>${exampleText(shown)}</code></p>`}${fieldList(schema)}
    </dd>
  </div>`;
}

export function schemaId(id: string): string {
  return `schema-${id}`;
}

/** A schema's type in words; a named one is a link to its article. */
export function typeText(schema: JsonSchema): Html {
  if (schema.$ref !== undefined) {
    const id = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
    return html`<a href="#${schemaId(id)}">${id}</a>`;
  }
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return html`one of ${join(variants.map(typeText), " · ")}`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum)
    return html`one of
    ${join(
      schema.enum.map((value) => html`<code>${String(value)}</code>`),
      " · ",
    )}`;
  if (schema.type === "array") return html`array of ${typeText(schema.items ?? {})}`;
  if (schema.type === "object" && typeof schema.additionalProperties === "object")
    return html`object of ${typeText(schema.additionalProperties)}`;
  if (schema.type === undefined) return html`any JSON`;
  return html`${[schema.type].flat().join(" or ")}${schema.format === undefined ? undefined : ` (${schema.format})`}`;
}

const boundNames: ReadonlyArray<[keyof JsonSchema, string]> = [
  ["default", "default"],
  ["minimum", "at least"],
  ["maximum", "at most"],
  ["minLength", "shortest length"],
  ["maxLength", "longest length"],
  ["minItems", "fewest items"],
  ["maxItems", "most items"],
  ["pattern", "pattern"],
];

function boundsText(schema: JsonSchema): Html | undefined {
  const bounds = boundNames.flatMap(([key, name]) =>
    schema[key] === undefined ? [] : [inline(`${name} \`${exampleText(schema[key])}\``)],
  );
  return bounds.length === 0 ? undefined : html`<p class="bounds">${join(bounds, ", ")}</p>`;
}

function exampleText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Code in a box that scrolls, also by keyboard. */
export function codeBlock(code: Html | string, label: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre>`;
}
