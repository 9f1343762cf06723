import { privacyLevels } from "@periscope/privacy";
import type { PrivacyLevel } from "@periscope/schemas";
import type { ReadScope } from "../access/scope.js";
import type { ContextSummary, HistoryFilter } from "../contexts/context.store.js";
import type { Prisma, PrismaClient } from "./generated/sqlite/client.js";

/** A page of history and the count of all that match, which costs a look at each of them unless it is known. */
export async function history(prisma: PrismaClient, scope: ReadScope, filter: HistoryFilter) {
  const matching = whereOf(scope, filter);
  const [rows, total] = await Promise.all([
    prisma.context.findMany({
      where: filter.after ? { AND: [matching, startingAfter(filter.after)] } : matching,
      orderBy: [{ capturedAt: "desc" }, { contextId: "asc" }],
      skip: filter.offset,
      take: filter.limit,
      select: { contextId: true, type: true, url: true, title: true, capturedAt: true, privacyLevel: true },
    }),
    filter.knownTotal ?? prisma.context.count({ where: matching }),
  ]);
  const contexts = rows.map((row): ContextSummary => ({
    contextId: row.contextId,
    type: row.type as ContextSummary["type"],
    url: row.url,
    title: row.title,
    privacyLevel: row.privacyLevel as PrivacyLevel,
    capturedAt: row.capturedAt.getTime(),
  }));
  return { contexts, total };
}

function whereOf({ userId, maxPrivacyLevel }: ReadScope, filter: HistoryFilter): Prisma.ContextWhereInput {
  const { since, until, type, privacyLevel } = filter;
  return {
    userId,
    ...((since !== undefined || until !== undefined) && {
      capturedAt: { ...(since !== undefined && { gte: new Date(since) }), ...(until !== undefined && { lt: new Date(until) }) },
    }),
    ...(type && { type }),
    AND: [
      ...(privacyLevel ? [{ privacyLevel }] : []),
      ...(maxPrivacyLevel === "restricted" ? [] : [{ privacyLevel: { in: levelsUpTo(maxPrivacyLevel) } }]),
    ],
  };
}

/** The levels that a key of this bound may see. */
export function levelsUpTo(bound: PrivacyLevel): PrivacyLevel[] {
  return privacyLevels.slice(0, privacyLevels.indexOf(bound) + 1);
}

// The first bound says nothing new, but lets the index begin at the place instead of reading up to it.
function startingAfter({ capturedAt, contextId }: NonNullable<HistoryFilter["after"]>): Prisma.ContextWhereInput {
  const at = new Date(capturedAt);
  return { capturedAt: { lte: at }, OR: [{ capturedAt: { lt: at } }, { contextId: { gt: contextId } }] };
}
