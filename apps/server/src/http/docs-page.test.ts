import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { operationsOf, responsesOf } from "../../test/openapi-walk.js";
import { shellWords } from "../../test/shell-words.js";
import { createDocsPage } from "./docs-page.js";
import { curlCommand } from "./docs-page-curl.js";
import { buildOpenApiDocument } from "./openapi-document.js";
import type { OpenApiDocument } from "./openapi-types.js";

const baseUrl = "https://periscope.example/api/v1";
const document = buildOpenApiDocument({ baseUrl, version: "1.2.3" });
const { html, headers } = createDocsPage(document);

const attributes = (name: string) => [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value]) => value ?? "");
const textBetween = (start: string, end: string) => html.slice(html.indexOf(start) + start.length, html.indexOf(end));
const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

test("shows every operation, parameter, status, header and schema", () => {
  for (const { name, operation } of operationsOf(document)) {
    const start = html.indexOf(`id="op-${operation.operationId}"`);
    const section = html.slice(start, html.indexOf("</section>", start));
    const [, path] = name.split(" ");
    expect(section).toContain(`<code>${path}</code>`);
    for (const { name: parameter } of operation.parameters ?? []) expect(section).toContain(`<code class="name">${parameter}</code>`);
    for (const [status] of responsesOf(document, operation)) expect(section).toContain(`>${status}</span>`);
  }
  const ids = attributes("id");
  expect(ids).toEqual(expect.arrayContaining(Object.keys(document.components.schemas).map((id) => `schema-${id}`)));
  expect(ids).toEqual(expect.arrayContaining(Object.keys(document.components.headers).map((name) => `header-${name}`)));
});

test("every link leads to a place on the page, or to the document beside it", () => {
  const ids = attributes("id");
  expect(new Set(ids).size).toBe(ids.length);
  const targets = new Set([...ids.map((id) => `#${id}`), "openapi.json", "data:,"]);
  expect(attributes("href").filter((href) => !targets.has(href))).toEqual([]);
});

test("loads nothing, and lets nothing run but its own style and script", () => {
  expect(attributes("src")).toEqual([]);
  const style = textBetween("<style>", "</style>");
  const script = textBetween("<script>", "</script>");
  expect(style).not.toMatch(/url\(|@import/);
  expect(script).not.toMatch(/fetch|XMLHttpRequest|import|src/);
  const policy = headers["content-security-policy"]?.split("; ");
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", `style-src ${hashOf(style)}`, `script-src ${hashOf(script)}`]));
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toMatch(/ (?:style|on\w+)="/);
});

test("whatever the document says, it says it as text", () => {
  const hostile = `</style><script>alert("1")</script>'&"><img src=x>`;
  const schema = {
    description: hostile,
    type: "object",
    properties: { [hostile]: { description: hostile, const: hostile } },
    examples: [{ [hostile]: hostile }],
  };
  const poisoned: OpenApiDocument = {
    ...document,
    info: {
      ...document.info,
      title: hostile,
      summary: hostile,
      description: `## ${hostile}\n\n- ${hostile}\n\n\`${hostile}\``,
      version: hostile,
    },
    servers: [{ url: hostile, description: hostile }],
    tags: [...document.tags, { name: hostile, description: hostile }],
    components: { ...document.components, schemas: { ...document.components.schemas, [hostile]: schema } },
  };
  const page = createDocsPage(poisoned).html;
  expect(page).toContain("&lt;/style&gt;&lt;script&gt;");
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).not.toContain("<img");
  expect(page).not.toMatch(/="[^"]*</);
});

test("the curl commands are what a shell needs to call the operation", () => {
  const words = (path: string, method: "get" | "post" | "put" | "delete", operation = document.paths[path]?.[method]) => {
    if (!operation) throw new Error(`no operation at ${path}`);
    return shellWords(curlCommand({ baseUrl, method: method.toUpperCase(), path, operation }), { PERISCOPE_API_KEY: "psk_1" });
  };
  const key = ["-H", "Authorization: Bearer psk_1"];
  expect(words("/context/current", "get")).toEqual(["curl", "-sS", `${baseUrl}/context/current`, ...key]);
  expect(words("/context/{contextId}", "delete")).toEqual(
    ["curl", "-sS", "-X", "DELETE", `${baseUrl}/context/ctx_01KG9W3Z5T7Y2Q8M4N6P0R1S2V`].concat(key),
  );
  expect(words("/privacy/rules", "put").slice(0, 5)).toEqual(["curl", "-sS", "-X", "PUT", `${baseUrl}/privacy/rules`]);
  const [, , search = ""] = words("/context/search", "get");
  expect(new URL(search).searchParams.get("query")).toBe('"rollback journal" sqlite -windows');

  const post = document.paths["/context/sync"]?.post;
  const media = post?.requestBody?.content["application/json"];
  if (!post?.requestBody || !media) throw new Error("sync has no body");
  const body = { title: `it's "quoted" $HOME \`id\` \\ ` };
  const quoting = {
    ...post,
    requestBody: { ...post.requestBody, content: { "application/json": { ...media, examples: { quoting: { value: body } } } } },
  };
  expect(JSON.parse(words("/context/sync", "post", quoting).at(-1) ?? "")).toEqual(body);
});
