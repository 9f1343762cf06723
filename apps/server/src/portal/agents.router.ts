import { PrivacyLevel, Scope } from "@periscope/schemas";
import { z } from "zod";
import { issuerOf } from "../http/admission.js";
import { portalRouterOf, signedIn } from "./portal-trpc.js";

/** The query of `/authorize`, as the program wrote it. */
const parameters = z.record(z.string().max(64), z.string().max(4_096)).refine((each) => Object.keys(each).length <= 32);

/** Programs, such as MCP hosts, that ask a person for access by OAuth. */
export const agentsRouter = portalRouterOf({
  /** Who asks, and for what. Throws `bad_request` when the request may not even be sent back. */
  request: signedIn
    .input(z.object({ parameters }))
    .query(({ ctx, input }) => ctx.services.oauth.describe(input.parameters, issuerOf(ctx.req, ctx.services.http))),

  /** Lets the program in. Returns the address that takes the answer to it. Never without this call: a program is asked about each time. */
  agree: signedIn
    .input(z.object({ parameters, scopes: z.array(Scope).min(1), maxPrivacyLevel: PrivacyLevel }))
    .mutation(async ({ ctx, input: { parameters: sent, ...chosen } }) => {
      const { oauth, http } = ctx.services;
      return { redirectTo: await oauth.agree(sent, issuerOf(ctx.req, http), { ...chosen, userId: ctx.session.userId }) };
    }),
});
