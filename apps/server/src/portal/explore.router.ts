import { ContextType, PrivacyLevel, Timestamp } from "@periscope/schemas";
import { z } from "zod";
import { portalRouterOf, signedIn } from "./portal-trpc.js";
import type { ExploreFilter } from "../explore/explore.service.js";

const text = z.string().max(1_024).optional();

const Filter = z.object({
  query: text,
  kind: z.optional(ContextType),
  level: z.optional(PrivacyLevel),
  site: text,
  device: text,
  since: z.optional(Timestamp),
  until: z.optional(Timestamp),
});

const deleting = signedIn.meta({ budget: "delete" });
const Id = z.object({ contextId: z.string().max(256) });

/** What the page Explore, and that of one context, ask for. */
export const exploreRouter = portalRouterOf({
  /** Taken from the budget `read`: a person who types sends a request for each key, and `search` has too few for that. */
  search: signedIn
    .input(Filter.extend({ cursor: z.string().max(1_024).optional(), zone: z.int().min(-1_440).max(1_440) }))
    .query(({ ctx: { services, scope }, input: { cursor, zone, ...filter } }) => services.explore.find(scope, filter, { cursor, zone })),

  context: signedIn.input(Id).query(({ ctx: { services, scope }, input }) => services.explore.show(scope, input.contextId)),

  remove: deleting.input(Id).mutation(({ ctx: { services, scope }, input }) => services.contexts.remove(scope, input.contextId)),

  /** How many contexts have everything that a filter asks for, and some of them. */
  previewDelete: deleting.input(Filter).mutation(({ ctx: { services, scope }, input }) => services.deletes.preview(scope, toWhere(input))),

  deleteMatches: deleting
    .input(z.object({ filter: Filter, confirm: z.string().max(15) }))
    .mutation(async ({ ctx: { services, scope }, input: { filter, confirm } }) =>
      (await services.deletes.confirm(scope, toWhere(filter), confirm)).run(),
    ),
});

function toWhere({ kind, level, device, since, until, query, site }: ExploreFilter) {
  return { query, site, type: kind, privacyLevel: level, extensionId: device, startTime: since, endTime: until };
}

/** What the page Now asks for. */
export const nowRouter = portalRouterOf({
  overview: signedIn
    .input(z.object({ since: Timestamp }))
    .query(({ ctx: { services, scope }, input }) => services.now.overview(scope, input.since)),

  firstSteps: signedIn.query(({ ctx: { services, scope } }) => services.now.firstSteps(scope)),

  storage: signedIn.query(({ ctx: { services, scope } }) => services.now.storage(scope)),
});
