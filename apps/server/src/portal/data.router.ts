import { z } from "zod";
import { badParameter } from "../domain-error.js";
import { portalRouterOf, signedIn } from "./portal-trpc.js";

const deleting = signedIn.meta({ budget: "delete" });

/** What the page Data asks for. Export and import are streams, beside the procedures. */
export const dataRouter = portalRouterOf({
  /** Erases the person with everything that is theirs, the account too, and answers the receipt. */
  erase: deleting.input(z.object({ confirm: z.string().max(320) })).mutation(async ({ ctx: { services, session }, input }) => {
    if (input.confirm.trim().toLowerCase() !== session.email.toLowerCase())
      throw badParameter("confirm", "must be the email of your account");
    return await services.erasure.erase(session.userId);
  }),
});
