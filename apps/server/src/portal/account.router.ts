import { z } from "zod";
import { NewAccount } from "../accounts/accounts.service.js";
import { networkOf } from "../http/admission.js";
import { free, open, portalRouterOf, signedIn } from "./portal-trpc.js";

const token = z.string().max(128);
const NewAccountByToken = NewAccount.extend({ token });

/** The session of the person who asks. */
export const sessionRouter = portalRouterOf({
  /** Who is signed in; null when nobody is. */
  me: free.query(({ ctx }) => ctx.session),
  /** How people can come in, for the page where they sign in. */
  options: open.query(({ ctx }) => ctx.services.accounts.signInOptions()),
  signIn: open.input(z.object({ email: z.string(), password: z.string() })).mutation(async ({ ctx: { services, req, res }, input }) => {
    await services.accounts.countAttempt(input.email, networkOf(req.ip ?? ""));
    await services.accounts.signIn(req, res, input);
  }),
  /** Begins a sign-in at the identity provider: the page goes to the address that this returns. */
  signInByOidc: open
    .input(z.object({ returnTo: z.string().max(2_048).default("/") }))
    .mutation(async ({ ctx: { services, req, res }, input }) => ({ url: await services.accounts.signInByOidc(req, res, input.returnTo) })),
  /** Counts as no request: whoever has none left can still leave. */
  signOut: free.mutation(({ ctx }) => ctx.services.accounts.signOut(ctx.req, ctx.res)),
});

/** The first run: the printed token makes the owner's account. */
export const setupRouter = portalRouterOf({
  /** Whether a token can make the owner's account. A mutation for its body: logs of proxies keep addresses. */
  begin: open.input(z.object({ token })).mutation(async ({ ctx: { services }, input }) => {
    return { isValid: await services.accounts.canRedeem(input.token, { isOwner: true }) };
  }),
  /** Makes the account, signs its owner in, and returns the first key, which is shown once. */
  complete: open.input(NewAccountByToken).mutation(async ({ ctx: { services, req, res }, input: { token, ...account } }) => {
    const made = await services.accounts.completeSetup(token, account);
    await services.accounts.signIn(req, res, account);
    return made;
  }),
});

/** New accounts, after the owner's. */
export const inviteRouter = portalRouterOf({
  /** Whether a token can make an account. A mutation for its body: logs of proxies keep addresses. */
  begin: open.input(z.object({ token })).mutation(async ({ ctx: { services }, input }) => {
    return { isValid: await services.accounts.canRedeem(input.token, { isOwner: false }) };
  }),
  /** Makes the account and signs its person in. */
  complete: open.input(NewAccountByToken).mutation(async ({ ctx: { services, req, res }, input: { token, ...account } }) => {
    const made = await services.accounts.acceptInvite(token, account);
    await services.accounts.signIn(req, res, account);
    return made;
  }),
  /** Makes an account without a token, where everybody may have one. The person signs in after it: nothing here says whether there was one. */
  signUp: open.input(NewAccount).mutation(({ ctx, input }) => ctx.services.accounts.signUp(input)),
});

/** A person's own account: where they are signed in, and how. Passkeys go by better-auth's own paths. */
export const accountRouter = portalRouterOf({
  methods: signedIn.query(({ ctx }) => ctx.services.accounts.signInMethods(ctx.session.userId)),
  sessions: signedIn.query(async ({ ctx: { services, session } }) => {
    const sessions = await services.accounts.listSessions(session.userId);
    return sessions.map((each) => ({ ...each, isThis: each.id === session.sessionId }));
  }),
  endSession: signedIn
    .input(z.object({ id: z.string().max(64) }))
    .mutation(({ ctx: { services, session }, input }) => services.accounts.endSession(session.userId, input.id)),
  endOtherSessions: signedIn.mutation(async ({ ctx: { services, session } }) => {
    return { ended: await services.accounts.endOtherSessions(session.userId, session.sessionId) };
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
