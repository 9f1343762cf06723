import { owner, portalRouterOf } from "./portal-trpc.js";

/** What the page System asks for. */
export const systemRouter = portalRouterOf({
  overview: owner.query(({ ctx }) => ctx.services.system.overview()),
  metrics: owner.query(({ ctx }) => ctx.services.system.metrics()),
});
