import { z } from "zod";
import { PairingRequest } from "../accounts/pairing.service.js";
import { portalRouterOf, signedIn } from "./portal-trpc.js";

/** The extensions that send the person's contexts. */
export const devicesRouter = portalRouterOf({
  list: signedIn.query(({ ctx: { services, session } }) => services.devices.list(session.userId)),

  unpair: signedIn
    .input(z.object({ extensionId: z.string().max(256) }))
    .mutation(({ ctx: { services, session }, input }) => services.devices.unpair(session.userId, input.extensionId)),
});

/** What the page that connects an extension asks for. */
export const pairingRouter = portalRouterOf({
  /** The person agrees: answers the code that the extension exchanges for a key. */
  approve: signedIn
    .meta({ budget: "sync" })
    .input(PairingRequest)
    .mutation(({ ctx: { services, scope }, input }) => services.pairing.approve(scope.userId, input)),
});
