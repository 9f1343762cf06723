import { Timestamp } from "@periscope/schemas";
import { z } from "zod";
import { approvePairing, PairingRequest } from "../accounts/pairing.service.js";
import { previewPrivacy, PrivacyPreviewInput } from "../contexts/privacy-preview.js";
import { removeContext } from "../contexts/context.service.js";
import { confirmDelete, previewDelete } from "../data/delete.service.js";
import { getRetention, replaceRetention, RetentionBody } from "../data/retention.service.js";
import { listDevices, unpairDevice } from "../data/devices.service.js";
import { conflict } from "../domain-error.js";
import { ExploreFilter, getShownContext, searchOrList } from "../explore/explore.service.js";
import { findFirstSteps, getOverview, getStoredSize } from "../explore/now.service.js";
import { toTimestamp } from "../formats.js";
import { getRules, PrivacyRulesBody, replaceRules } from "../privacy/rules.service.js";
import { usageDaysMax } from "../usage/usage.service.js";
import { accountRouter, inviteRouter, sessionRouter, setupRouter } from "./account.router.js";
import { agentsRouter, keysRouter } from "./keys.router.js";
import { peopleRouter, systemRouter } from "./owner.router.js";
import { portalRouterOf, signedIn } from "./portal-trpc.js";

const changing = signedIn.meta({ budget: "sync" });
const deleting = signedIn.meta({ budget: "delete" });

const Id = z.object({ contextId: z.string().max(256) });

const exploreRouter = portalRouterOf({
  /** Taken from the budget `read`: a person who types sends a request for each key, and `search` has too few for that. */
  search: signedIn
    .input(ExploreFilter.extend({ cursor: z.string().max(1_024).optional(), zone: z.string().max(64) }))
    .query(({ ctx: { services, scope }, input: { cursor, zone, ...filter } }) => searchOrList(services, scope, filter, { cursor, zone })),

  context: signedIn.input(Id).query(({ ctx: { services, scope }, input }) => getShownContext(services, scope, input.contextId)),

  remove: deleting.input(Id).mutation(({ ctx: { services, scope }, input }) => removeContext(services, scope, input.contextId)),

  /** How many contexts have everything that a filter asks for, and some of them. */
  previewDelete: deleting
    .input(ExploreFilter)
    .mutation(({ ctx: { services, scope }, input }) => previewDelete(services, scope, toWhere(input))),

  deleteMatches: deleting
    .input(z.object({ filter: ExploreFilter, confirm: z.string().max(15) }))
    .mutation(async ({ ctx: { services, scope }, input: { filter, confirm } }) =>
      (await confirmDelete(services, scope, toWhere(filter), confirm)).run(),
    ),
});

function toWhere({ since, until, ...rest }: ExploreFilter) {
  return { ...rest, startTime: since, endTime: until };
}

const nowRouter = portalRouterOf({
  overview: signedIn
    .input(z.object({ since: Timestamp }))
    .query(({ ctx: { services, scope }, input }) => getOverview(services, scope, input.since)),

  firstSteps: signedIn.query(({ ctx: { services, scope } }) => findFirstSteps(services, scope)),

  storage: signedIn.query(({ ctx: { services, scope } }) => getStoredSize(services, scope)),
});

/** When the rules that the page shows were saved. It sends all of them, and would undo what was changed elsewhere since. */
const ShownVersion = z.object({ updatedAt: z.nullable(Timestamp) });

/** Throws `conflict`. */
function requireShown(stored: { updatedAt: string | null }, updatedAt: string | null): void {
  if (stored.updatedAt !== updatedAt)
    throw conflict("Your rules were changed in another place. This page shows them now: make your change again.");
}

const privacyRouter = portalRouterOf({
  rules: signedIn.query(({ ctx: { services, scope } }) => getRules(services, scope.userId)),

  saveRules: changing.input(PrivacyRulesBody.and(ShownVersion)).mutation(async ({ ctx: { services, scope }, input }) => {
    const { updatedAt, ...rules } = input;
    requireShown(await getRules(services, scope.userId), updatedAt);
    return await replaceRules(services, scope.userId, rules);
  }),

  retention: signedIn.query(({ ctx: { services, scope } }) => getRetention(services, scope.userId)),

  /** Replaces the rules as a whole; what they let go is deleted within the hour. */
  saveRetention: deleting.input(RetentionBody.and(ShownVersion)).mutation(async ({ ctx: { services, scope }, input }) => {
    requireShown(await getRetention(services, scope.userId), input.updatedAt);
    return await replaceRetention(services, scope.userId, input);
  }),

  /** A mutation for its body: a text of one's own belongs in no address. */
  preview: changing
    .input(PrivacyPreviewInput)
    .mutation(({ ctx: { services, scope }, input }) => previewPrivacy(services, scope.userId, input)),
});

const budgets = ["sync", "batchSync", "read", "search", "delete"] as const;

const Period = z.object({ days: z.int().min(1).max(usageDaysMax) });

/** What the person's keys were used for, and what is stored. Days are of UTC, counted from the epoch. */
const usageRouter = portalRouterOf({
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

/** The extensions that send the person's contexts. */
const devicesRouter = portalRouterOf({
  list: signedIn.query(({ ctx: { services, session } }) => listDevices(services, session.userId)),

  unpair: signedIn
    .input(z.object({ extensionId: z.string().max(256) }))
    .mutation(({ ctx: { services, session }, input }) => unpairDevice(services, session.userId, input.extensionId)),
});

/** What the page that connects an extension asks for. */
const pairingRouter = portalRouterOf({
  /** The person agrees: answers the code that the extension exchanges for a key. */
  approve: changing.input(PairingRequest).mutation(({ ctx: { services, scope }, input }) => approvePairing(services, scope.userId, input)),
});

/** Everything that the pages of the portal ask of the server. */
export const portalRouter = portalRouterOf({
  now: nowRouter,
  explore: exploreRouter,
  privacy: privacyRouter,
  agents: agentsRouter,
  keys: keysRouter,
  devices: devicesRouter,
  usage: usageRouter,
  session: sessionRouter,
  setup: setupRouter,
  invite: inviteRouter,
  account: accountRouter,
  people: peopleRouter,
  system: systemRouter,
  pairing: pairingRouter,
});

/** The type that the portal's client is made from. */
export type PortalRouter = typeof portalRouter;
