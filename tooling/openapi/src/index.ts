export { type AsyncApiDocument, buildAsyncApiDocument } from "./async-document.js";
export { buildOpenApiDocument } from "./document.js";
export { errorsByStatus } from "./responses.js";
export type { Example, Header, JsonSchema, MediaType, Method, OpenApiDocument, OpenApiResponse, Operation, Reference } from "./types.js";
