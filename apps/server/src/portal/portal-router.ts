import { accountRouter, inviteRouter, sessionRouter, setupRouter } from "./account.router.js";
import { devicesRouter, pairingRouter } from "./devices.router.js";
import { exploreRouter, nowRouter } from "./explore.router.js";
import { agentsRouter, keysRouter } from "./keys.router.js";
import { peopleRouter, systemRouter } from "./owner.router.js";
import { portalRouterOf } from "./portal-trpc.js";
import { privacyRouter } from "./privacy.router.js";
import { usageRouter } from "./usage.router.js";

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
