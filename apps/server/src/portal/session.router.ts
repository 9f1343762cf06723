import { z } from "zod";
import { open, portalRouterOf, signedIn } from "./portal-trpc.js";

/** The session of the person who asks. */
export const sessionRouter = portalRouterOf({
  /** Who is signed in, and whether the server waits for its owner. */
  me: open.query(({ ctx }) => ctx.session),
  signOut: signedIn.mutation(({ ctx }) => ctx.services.accounts.signOut(ctx.req, ctx.res)),
});

const token = z.string().max(128);

/** The first run: the printed token makes the owner's account. */
export const setupRouter = portalRouterOf({
  /** Whether a token can make the owner's account. */
  begin: open.input(z.object({ token })).query(async ({ ctx, input }) => ({ isValid: await ctx.services.accounts.canSetUp(input.token) })),
  /** Makes the account, signs its owner in, and returns the first key, which is shown once. */
  complete: open
    .input(z.object({ token, name: z.string(), email: z.string(), password: z.string() }))
    .mutation(async ({ ctx, input: { token, ...account } }) => {
      const { accounts } = ctx.services;
      const made = await accounts.completeSetup(token, account);
      await accounts.signIn(ctx.req, ctx.res, account);
      return made;
    }),
});
