import { KeyInfo, KeyQuery, RateLimit, RateLimits, Scope, ServerInfo } from "../key.js";
import { sample } from "./example-values.js";
import { describe, describeParameters, type ParameterDocs, type SchemaDoc } from "./schema-doc.js";

const reset = 1_769_862_900;
const read = { limit: 600, remaining: 597, reset };
const limits = {
  sync: { limit: 600, remaining: 600, reset },
  "batch-sync": { limit: 120, remaining: 119, reset },
  read,
  search: { limit: 120, remaining: 120, reset },
  delete: { limit: 120, remaining: 120, reset },
};
const server = { version: "0.1.0", live: true };

export const keyDocs: readonly SchemaDoc[] = [
  describe(KeyInfo, {
    id: "KeyInfo",
    description: "The API key of the request: whose it is and what it may do.",
    examples: {
      key: {
        summary: "A key that may read and sync",
        value: {
          userId: sample.userId,
          keyId: "01KG9VZK7J8K9M0N1P2Q3R4S5T",
          name: "Laptop",
          scopes: ["read", "write"],
          maxPrivacyLevel: "restricted",
          createdAt: sample.olderCapturedAt,
          expiresAt: null,
          limits,
          server,
        },
      },
    },
    fields: {
      userId: "The key's user.",
      keyId: "Identifier of the key. It is not secret; `periscope keys revoke` takes it.",
      name: "The name that the key was created with; may be empty.",
      scopes: "What the key may do.",
      maxPrivacyLevel: "The key sees no context above this level; `restricted` sees all.",
      createdAt: "When the key was created.",
      expiresAt: "When the key expires; null if it never does.",
      limits: "Where the user stands in each rate budget. All keys of the user share the budgets.",
      server: "Which server answered.",
    },
  }),
  describe(Scope, {
    id: "Scope",
    description: "What a key may do.",
    examples: ["read"],
    values: {
      read: "Read, search and list contexts.",
      write: "Sync contexts and other messages.",
      delete: "Delete contexts.",
    },
  }),
  describe(RateLimits, {
    id: "RateLimits",
    description: "A user's rate budgets, by name.",
    examples: [limits],
    fields: {
      sync: "Budget of `POST /context/sync` and `PUT /privacy/rules`.",
      "batch-sync": "Budget of `POST /context/batch-sync` and `POST /data/import`.",
      read: "Budget of GET requests other than search, of `POST /live/tickets` and of requests to `/mcp`.",
      search: "Budget of `GET /context/search`.",
      delete: "Budget of `DELETE /context/{contextId}`, `POST /context/delete`, `PUT /data/retention` and `DELETE /data`.",
    },
  }),
  describe(RateLimit, {
    id: "RateLimit",
    description: "Where a user stands in one rate budget.",
    examples: [read],
    fields: {
      limit: "Requests a minute.",
      remaining: "Requests left in this minute.",
      reset: "When the minute ends, in whole Unix seconds.",
    },
  }),
  describe(ServerInfo, {
    id: "ServerInfo",
    description: "The server that answered.",
    examples: [server],
    fields: { version: "Version of the server.", live: "Whether the server offers the live channel." },
  }),
];

export const keyParameterDocs: readonly ParameterDocs[] = [describeParameters(KeyQuery, {})];
