import { limits } from "@periscope/schemas";
import { budgets } from "./openapi-operation.js";

export const summary = "Browser context service: what a person is viewing, filtered for privacy, stored, searched, served to agents.";

const budgetList = Object.values(budgets).map(({ name, perMinute }) => `\`${name}\` ${perMinute}`);

/** Text of the whole interface, in the little Markdown that every viewer knows: headings, paragraphs, lists, code. */
export const description = `A browser extension syncs contexts, snapshots of what a user is viewing in a tab. The service filters each for privacy before it is stored. Agents and applications fetch, page through, search and delete them. Every answer is about the key's own user.

## Authentication

Every request carries \`Authorization: Bearer <API key>\`. A key has scopes: \`read\` for every GET, \`write\` to sync, \`delete\` for DELETE and for \`delete\` messages; replacing the privacy rules needs \`read\` and \`write\`. A key may also be bound to a privacy level; contexts above it do not exist for it, and it does not see the user's privacy rules.

## Errors

Every error body is \`{error, message}\`, with \`details\` where single fields are to blame, and the \`requestId\` that the header \`X-Request-Id\` carries too. Programs decide by \`error\`; \`message\` is for people.

## Rate limits

Per user, in windows of 60 seconds, one budget a group of operations; by default ${budgetList.join(", ")} requests. Every answer, errors included, says where the budget stands in \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (Unix seconds). Past it the answer is 429 with \`Retry-After\`.

## Sending twice is safe

The first successful outcome of a message id is kept ${limits.replayDays} days: the same message sent again answers the same with \`duplicate: true\` and changes nothing. What was answered 201, or \`success\` in a batch, survives a crash of the server.

## Compatibility

\`/api/v1\` changes only by addition, so ignore fields that you do not know. What is to go is announced by \`Deprecation\` and \`Sunset\` headers at least 6 months ahead, and goes in \`/api/v2\`.`;

export const securityDescription =
  "An API key, `psk_…`, as the bearer token. The operations name the scopes that the key needs: of several entries one, of one entry all.";

export const tagDescriptions: Readonly<Record<string, string>> = {
  Contexts: "Read what was captured, and delete it.",
  Search: "Find contexts by their words or their address.",
  Sync: "Send what was captured, message by message or in batches.",
  Privacy: "The user's own rules for what is kept.",
};
