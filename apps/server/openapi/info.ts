import { limits } from "@periscope/schemas";

export const summary = "Browser context service: stores what a person views, filtered for privacy, and serves it to agents.";

/** Text of the whole interface, in simple Markdown. @param budgets such as "`read` 600, `search` 120" */
export const describeApi = (budgets: string): string =>
  `A browser extension syncs contexts: snapshots of what a user is viewing in a tab. The service filters each context for privacy before it stores it. Agents and applications fetch, list, search and delete contexts. A key sees the data of its own user only.

## Authentication

Send \`Authorization: Bearer <API key>\` with every request. A key has scopes: \`read\` for every GET, \`write\` to sync, and \`delete\` for DELETE and for \`delete\` messages. Replacing the privacy rules needs \`read\` and \`write\`. \`GET /key\` works with any valid key. A key can have a maximum privacy level: contexts above it do not exist for that key, and it cannot see the user's privacy rules.

## Errors

Every error body is \`{error, message}\`. \`details\` names the fields that are wrong, if any. \`requestId\` is also in the \`X-Request-Id\` header. Programs should decide by \`error\`; \`message\` is for people.

## Rate limits

Requests are limited by user and minute, with one budget for each group of operations. The defaults are ${budgets} requests. Every answer, errors included, says where the budget stands: \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (Unix seconds). Past the limit, the answer is 429 with \`Retry-After\`.

## Retries are safe

The first successful outcome of a message id is kept for ${limits.replayDays} days. Sending the same message again returns the same answer with \`duplicate: true\` and changes nothing. Acknowledged writes (201, or \`success\` in a batch) survive a crash.

## Compatibility

\`/api/v1\` changes only by addition, so ignore fields that you do not know. Removals are announced at least 6 months ahead by \`Deprecation\` and \`Sunset\` headers, and happen in \`/api/v2\`.`;

export const securityDescription =
  "An API key, `psk_…`, as the bearer token. Each operation names the scopes that the key needs. Several entries are alternatives; one entry with several scopes needs all of them.";

export const tagDescriptions: Readonly<Record<string, string>> = {
  Key: "The API key of the request.",
  Contexts: "Read and delete what was captured.",
  Live: "Follow what a person views as it changes: a WebSocket or server-sent events. `asyncapi.json` describes the frames.",
  Search: "Find contexts by words or by address.",
  Sync: "Send what was captured, one message or a batch at a time.",
  Privacy: "The user's own rules for what is stored.",
  Data: "Take everything out, bring it back, keep it for a time, erase it.",
};
