import { z } from "zod";
import { portalRouterOf, signedIn } from "./portal-trpc.js";

/** A person's own account: where they are signed in, and how. Passkeys go by better-auth's own paths. */
export const accountRouter = portalRouterOf({
  methods: signedIn.query(({ ctx }) => ctx.services.sessions.listMethods(ctx.session.userId)),
  sessions: signedIn.query(async ({ ctx: { services, session } }) => {
    const sessions = await services.sessions.list(session.userId);
    return sessions.map((each) => ({ ...each, isThis: each.id === session.sessionId }));
  }),
  endSession: signedIn
    .input(z.object({ id: z.string().max(64) }))
    .mutation(({ ctx: { services, session }, input }) => services.sessions.end(session.userId, input.id)),
  endOtherSessions: signedIn.mutation(async ({ ctx: { services, session } }) => {
    return { ended: await services.sessions.endOthers(session.userId, session.sessionId) };
  }),
  /** Changes name and email; the password is asked for where the email changes. */
  changeProfile: signedIn
    .input(z.object({ name: z.string(), email: z.string(), password: z.string().max(256) }))
    .mutation(({ ctx: { services, req, session }, input }) => services.accounts.changeProfile(req, session, input)),
  /** Changes the password and ends all other sessions. */
  changePassword: signedIn.input(z.object({ current: z.string(), next: z.string() })).mutation(async ({ ctx, input }) => {
    const { services, req, res, session } = ctx;
    await services.accounts.changePassword(req, res, { ...input, email: session.email });
  }),
  /** Begins to connect the account with the identity provider: the page goes to the address that this returns. */
  connectOidc: signedIn.mutation(async ({ ctx: { services, req, res } }) => ({ url: await services.accounts.connectOidc(req, res) })),
});
