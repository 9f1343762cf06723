import { exploreRouter } from "./explore.router.js";
import { nowRouter } from "./now.router.js";
import { portalRouterOf } from "./portal-trpc.js";
import { sessionRouter, setupRouter } from "./session.router.js";

/** Everything that the pages of the portal ask of the server. */
export const portalRouter = portalRouterOf({
  now: nowRouter,
  explore: exploreRouter,
  session: sessionRouter,
  setup: setupRouter,
});

/** The type that the portal's client is made from. */
export type PortalRouter = typeof portalRouter;
