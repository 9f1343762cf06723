import { exploreRouter } from "./explore.router.js";
import { devicesRouter } from "./devices.router.js";
import { keysRouter } from "./keys.router.js";
import { nowRouter } from "./now.router.js";
import { accountRouter } from "./account.router.js";
import { pairingRouter } from "./pairing.router.js";
import { peopleRouter } from "./people.router.js";
import { agentsRouter } from "./agents.router.js";
import { portalRouterOf } from "./portal-trpc.js";
import { privacyRouter } from "./privacy.router.js";
import { inviteRouter, sessionRouter, setupRouter } from "./session.router.js";
import { systemRouter } from "./system.router.js";
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
