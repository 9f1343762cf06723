import { Timestamp } from "@periscope/schemas";
import { z } from "zod";
import { portalRouterOf, signedIn } from "./portal-trpc.js";

/** What the page Now asks for. */
export const nowRouter = portalRouterOf({
  overview: signedIn
    .input(z.object({ since: Timestamp }))
    .query(({ ctx: { services, scope }, input }) => services.now.overview(scope, input.since)),

  firstSteps: signedIn.query(({ ctx: { services, scope } }) => services.now.firstSteps(scope)),

  storage: signedIn.query(({ ctx: { services, scope } }) => services.now.storage(scope)),
});
