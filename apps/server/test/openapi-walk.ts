import type { OpenApiDocument, OpenApiResponse, Operation, Reference } from "@periscope/openapi";
import openApi from "../openapi.json" with { type: "json" };

/** The committed document; openapi-file.test.ts checks that the router still says the same. */
export const document = openApi as unknown as OpenApiDocument;

/** An operation with where it stands. */
export interface PlacedOperation {
  name: string;
  operation: Operation;
}

export function operationsOf({ paths }: OpenApiDocument): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
}

/** What a reference points at, or the thing itself. Throws for a reference that points at nothing. */
export function resolved<T extends object>(document: OpenApiDocument, target: T | Reference): T {
  if (!("$ref" in target) || typeof target.$ref !== "string") return target as T;
  let found: unknown = document;
  for (const step of target.$ref.replace(/^#\//, "").split("/")) found = (found as Record<string, unknown> | undefined)?.[step];
  if (found === undefined) throw new Error(`${target.$ref} points at nothing`);
  return found as T;
}

/** The answers of an operation as [status, answer], references resolved. */
export function responsesOf(document: OpenApiDocument, operation: Operation): Array<[number, OpenApiResponse]> {
  return Object.entries(operation.responses).map(([status, response]) => [Number(status), resolved(document, response)]);
}

/** Every value in `value` under the key `key`, however deep, with its path. */
export function* valuesAt(key: string, value: unknown, path = "#"): Generator<[string, unknown]> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    if (name === key) yield [path, item];
    yield* valuesAt(key, item, `${path}/${name}`);
  }
}
