import { z } from "zod";
import { portalRouterOf, signedIn } from "./portal-trpc.js";

/** The extensions that send the person's contexts. */
export const devicesRouter = portalRouterOf({
  list: signedIn.query(({ ctx: { services, session } }) => services.devices.list(session.userId)),

  unpair: signedIn
    .input(z.object({ extensionId: z.string().max(256) }))
    .mutation(({ ctx: { services, session }, input }) => services.devices.unpair(session.userId, input.extensionId)),
});
