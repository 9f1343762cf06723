import { CaptureUrl, limits } from "@periscope/schemas";
import { z } from "zod";
import { RetentionBody } from "../data/retention.service.js";
import { PrivacyRulesBody } from "../privacy/rules.service.js";
import { portalRouterOf, signedIn } from "./portal-trpc.js";

/** UTF-16 units of a text that is tried. */
const previewCharsMax = 200_000;

const Preview = z.object({
  url: CaptureUrl,
  title: z.string().max(limits.titleBytesMax),
  content: z.string().max(previewCharsMax, `must have at most ${previewCharsMax} characters; try a part of it`),
  contentFormat: z.enum(["text", "html", "markdown"]).optional(),
});

const changing = signedIn.meta({ budget: "sync" });
const deleting = signedIn.meta({ budget: "delete" });

/** What the page Privacy asks for. */
export const privacyRouter = portalRouterOf({
  rules: signedIn.query(({ ctx: { services, scope } }) => services.rules.get(scope.userId)),

  /** Replaces the rules as a whole. */
  saveRules: changing
    .input(PrivacyRulesBody)
    .mutation(({ ctx: { services, scope }, input }) => services.rules.replace(scope.userId, input)),

  retention: signedIn.query(({ ctx: { services, scope } }) => services.retention.get(scope.userId)),

  /** Replaces the rules as a whole; what they let go is deleted within the hour. */
  saveRetention: deleting
    .input(RetentionBody)
    .mutation(({ ctx: { services, scope }, input }) => services.retention.replace(scope.userId, input)),

  /** A mutation for its body: a text of one's own belongs in no address. */
  preview: changing.input(Preview).mutation(({ ctx: { services, scope }, input }) => services.privacyPreview(scope.userId, input)),
});
