import type { MediaType, Operation, Parameter } from "./openapi-types.js";

// A search needs this one or `urlPattern`; every other parameter of a query may be left out.
const shownInQuery = new Set(["query"]);

export interface CurlOptions {
  baseUrl: string;
  method: string;
  path: string;
  operation: Operation;
}

/** A command that calls the operation, ready to paste into a POSIX shell in which `PERISCOPE_API_KEY` is set. */
export function curlCommand({ baseUrl, method, path, operation }: CurlOptions): string {
  const parameters = operation.parameters ?? [];
  const shown = parameters.filter(({ name }) => shownInQuery.has(name));
  const query = new URLSearchParams(shown.map((parameter): [string, string] => [parameter.name, exampleOf(parameter)]));
  const url = `${baseUrl}${filled(path, parameters)}${query.size > 0 ? `?${query.toString()}` : ""}`;
  const body = firstExample(operation.requestBody?.content["application/json"]);
  const lines = [
    // Curl sends a GET by itself, and with a body a POST.
    `curl -sS ${method === (body === undefined ? "GET" : "POST") ? "" : `-X ${method} `}${quoted(url)}`,
    `-H "Authorization: Bearer $PERISCOPE_API_KEY"`,
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2).replaceAll("\n", "\n  "))}`]),
  ];
  return lines.join(" \\\n  ");
}

function filled(path: string, parameters: readonly Parameter[]): string {
  return parameters
    .filter((parameter) => parameter.in === "path")
    .reduce((text, parameter) => text.replace(`{${parameter.name}}`, encodeURIComponent(exampleOf(parameter))), path);
}

function exampleOf({ example }: Parameter): string {
  return typeof example === "string" ? example : JSON.stringify(example ?? "");
}

function firstExample(media: MediaType | undefined): unknown {
  return Object.values(media?.examples ?? {})[0]?.value;
}

/** One word of a POSIX shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
