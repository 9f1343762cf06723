import { z } from "zod";
import { listPeople, setDisabled } from "../accounts/people.service.js";
import { owner, portalRouterOf } from "./portal-trpc.js";
import { dayMs } from "../formats.js";

const userId = z.string().max(128);

export const peopleRouter = portalRouterOf({
  list: owner.query(({ ctx }) => listPeople(ctx.services)),
  disable: owner.input(z.object({ userId })).mutation(({ ctx: { services, session }, input }) => {
    return setDisabled(services, input.userId, { isDisabled: true, by: session.userId });
  }),
  enable: owner.input(z.object({ userId })).mutation(({ ctx: { services, session }, input }) => {
    return setDisabled(services, input.userId, { isDisabled: false, by: session.userId });
  }),
  /** Gives a person a new password, which is shown once, and ends their sessions. */
  resetPassword: owner.input(z.object({ userId })).mutation(async ({ ctx, input }) => {
    return { password: await ctx.services.accounts.resetPassword(input.userId) };
  }),
  invites: owner.query(async ({ ctx: { services } }) => {
    return { closedReason: services.invites.closedReason, open: await services.invites.list() };
  }),
  /** Makes an invite and returns its token and address, which are shown once. */
  invite: owner
    .input(z.object({ note: z.string().optional(), days: z.int().min(1).max(90).optional() }))
    .mutation(async ({ ctx: { services, req }, input: { note, days } }) => {
      const token = await services.invites.create({ note, lifeMs: days === undefined ? undefined : days * dayMs });
      return { token, address: services.invites.toAddress(token, req.headers.origin ?? "") };
    }),
  revokeInvite: owner.input(z.object({ hash: z.string().max(64) })).mutation(({ ctx, input }) => ctx.services.invites.revoke(input.hash)),
});

export const systemRouter = portalRouterOf({
  overview: owner.query(({ ctx }) => ctx.services.system.overview()),
  metrics: owner.query(({ ctx }) => ctx.services.system.metrics()),
});
