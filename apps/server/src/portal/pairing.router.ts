import { PairingRequest } from "../accounts/pairing.service.js";
import { portalRouterOf, signedIn } from "./portal-trpc.js";

const changing = signedIn.meta({ budget: "sync" });

/** What the page that connects an extension asks for. */
export const pairingRouter = portalRouterOf({
  /** The person agrees: answers the code that the extension exchanges for a key. */
  approve: changing.input(PairingRequest).mutation(({ ctx: { services, scope }, input }) => services.pairing.approve(scope.userId, input)),
});
