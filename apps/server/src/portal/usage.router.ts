import { z } from "zod";
import { toTimestamp } from "../formats.js";
import { portalRouterOf, signedIn } from "./portal-trpc.js";
import { usageDaysMax } from "../usage/usage.service.js";

const budgets = ["sync", "batchSync", "read", "search", "delete"] as const;

const Period = z.object({ days: z.int().min(1).max(usageDaysMax) });

/** What the person's keys were used for, and what is stored. Days are of UTC, counted from the epoch. */
export const usageRouter = portalRouterOf({
  /** Requests by day, key and kind; a place may have several counts, which add up. */
  requests: signedIn.input(Period).query(async ({ ctx: { services, session }, input: { days } }) => {
    const { usage, access } = services;
    const [counts, keys] = await Promise.all([usage.read(session.userId, days), access.listKeys(session.userId)]);
    return { today: usage.today(), counts, keys: keys.map(({ keyId, name }) => ({ keyId, name })) };
  }),

  /** Where the person stands in each rate limit. */
  limits: signedIn.query(async ({ ctx: { services, session } }) => {
    const { limiter, rateLimits } = services;
    const counts = await limiter.peek(session.userId, budgets);
    return budgets.map((budget) => {
      const { used = 0, resetAt = 0 } = counts.get(budget) ?? {};
      return { budget, limit: rateLimits[budget], used: Math.min(used, rateLimits[budget]), resetAt: toTimestamp(resetAt * 1_000) };
    });
  }),

  /** Contexts that were captured on each day, and the bytes of their texts; days without any are left out. */
  stored: signedIn.input(Period).query(({ ctx: { services, session }, input }) => services.usage.stored(session.userId, input.days)),
});
