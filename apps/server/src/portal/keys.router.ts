import { PrivacyLevel, Scope } from "@periscope/schemas";
import { z } from "zod";
import { describeKey } from "../access/access.service.js";
import { dayMs } from "../formats.js";
import { issuerOf } from "../http/admission.js";
import { agreeToRequest, describeRequest } from "../oauth/oauth.service.js";
import { portalRouterOf, signedIn } from "./portal-trpc.js";

const daysShown = 14;

const NewKey = z.object({
  name: z.string().max(128),
  scopes: z.array(Scope).min(1),
  maxPrivacyLevel: PrivacyLevel,
  /** null: it never expires. */
  expiresInDays: z.int().min(1).max(3_650).nullable(),
});

export const keysRouter = portalRouterOf({
  /** Every key, newest first, with its requests of each of the last 14 days, the oldest first. */
  list: signedIn.query(async ({ ctx: { services, session } }) => {
    const { access, usage } = services;
    const [keys, counts] = await Promise.all([access.listKeys(session.userId), usage.read(session.userId, daysShown)]);
    const byKey = Map.groupBy(counts, ({ keyId }) => keyId);
    const firstDay = usage.today() - daysShown + 1;
    return keys
      .map((key) => {
        const uses = Array.from({ length: daysShown }, () => 0);
        for (const { day, requests } of byKey.get(key.keyId) ?? []) uses[day - firstDay] = (uses[day - firstDay] ?? 0) + requests;
        return { ...describeKey(key), uses };
      })
      .toReversed();
  }),

  /** Makes a key and returns it, which happens once. */
  create: signedIn.input(NewKey).mutation(async ({ ctx: { services, session }, input: { expiresInDays, ...wanted } }) => {
    const expiresInMs = expiresInDays === null ? undefined : expiresInDays * dayMs;
    const { key, record } = await services.access.createKey({ ...wanted, name: wanted.name.trim(), userId: session.userId, expiresInMs });
    return { key, ...describeKey(record) };
  }),

  revoke: signedIn
    .input(z.object({ keyId: z.string().max(64) }))
    .mutation(({ ctx: { services, session }, input }) => services.access.revokeOwnKey(session.userId, input.keyId)),
});

/** The query of `/authorize`, as the program wrote it. */
const parameters = z.record(z.string().max(64), z.string().max(4_096)).refine((each) => Object.keys(each).length <= 32);

/** Programs, such as MCP hosts, that ask a person for access by OAuth. */
export const agentsRouter = portalRouterOf({
  /** Who asks, and for what. Throws `bad_request` when the request may not even be sent back. */
  request: signedIn
    .input(z.object({ parameters }))
    .query(({ ctx, input }) => describeRequest(ctx.services, input.parameters, issuerOf(ctx.req, ctx.services.http))),

  /** Lets the program in. Returns the address that takes the answer to it. Never without this call: a program is asked about each time. */
  agree: signedIn
    .input(z.object({ parameters, scopes: z.array(Scope).min(1), maxPrivacyLevel: PrivacyLevel }))
    .mutation(async ({ ctx, input: { parameters: sent, ...chosen } }) => {
      const { services, req, session } = ctx;
      return { redirectTo: await agreeToRequest(services, sent, issuerOf(req, services.http), { ...chosen, userId: session.userId }) };
    }),
});
