import { KeyInfo, KeyQuery } from "@periscope/schemas";
import { unauthorized } from "../domain-error.js";
import { toTimestamp } from "../formats.js";
import type { RateCount } from "../rates/rate-limiter.js";
import { endpoint, type RequestContext } from "../trpc/endpoint.js";

export const keyProcedures = {
  key: endpoint({
    openapi: {
      method: "GET",
      path: "/key",
      operationId: "getKey",
      summary: "The key of the request",
      description:
        "Whose key this is, what it may do, and where its user stands in each rate budget. Use it to test a connection or to check a key's scopes.",
      tags: ["Key"],
    },
    scopes: [],
    budget: "read",
    success: [{ status: 200, description: "The key, without its secret.", body: KeyInfo }],
  })
    .input(KeyQuery)
    .output(KeyInfo)
    .query(({ ctx }) => describeKey(ctx)),
};

async function describeKey({ services, principal: { userId, keyId } }: RequestContext): Promise<KeyInfo> {
  const { access, limiter, rateLimits, version } = services;
  const [key, counts] = await Promise.all([access.findKey(keyId), limiter.peek(userId, ["sync", "batchSync", "read", "search", "delete"])]);
  // Revoked since the request was authenticated.
  if (!key) throw unauthorized();
  const limitOf = (budget: keyof typeof rateLimits) => toRateLimit(rateLimits[budget], counts.get(budget));
  return {
    userId,
    keyId,
    name: key.name,
    scopes: [...key.scopes],
    maxPrivacyLevel: key.maxPrivacyLevel,
    createdAt: toTimestamp(key.createdAt),
    expiresAt: key.expiresAt === null ? null : toTimestamp(key.expiresAt),
    limits: {
      sync: limitOf("sync"),
      "batch-sync": limitOf("batchSync"),
      read: limitOf("read"),
      search: limitOf("search"),
      delete: limitOf("delete"),
    },
    server: { version, live: true },
  };
}

function toRateLimit(limit: number, count: RateCount | undefined) {
  if (!count) throw new Error("the rate store left a budget out");
  return { limit, remaining: Math.max(0, limit - count.used), reset: count.resetAt };
}
