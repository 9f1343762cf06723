import { PrivacyRules, PrivacyRulesQuery, StoredPrivacyRules } from "@periscope/schemas";
import { endpoint } from "../trpc/endpoint.js";
import { getRules, PrivacyRulesBody, replaceRules } from "./rules.service.js";

const tags = ["Privacy"];
const path = "/privacy/rules";

export const rulesProcedures = {
  privacyRules: endpoint({
    openapi: {
      method: "GET",
      path,
      operationId: "getPrivacyRules",
      summary: "The user's own privacy rules",
      description: "What the user wants hidden, beside what the operator's policy and the privacy level hide.",
      tags,
    },
    scopes: ["read"],
    budget: "read",
    success: [{ status: 200, description: "The rules that hold.", body: StoredPrivacyRules }],
    refusesBoundKeys: true,
  })
    .input(PrivacyRulesQuery)
    .output(StoredPrivacyRules)
    .query(({ ctx }) => getRules(ctx.services, ctx.principal.userId)),

  replacePrivacyRules: endpoint({
    openapi: {
      method: "PUT",
      path,
      operationId: "replacePrivacyRules",
      summary: "Replace the user's own privacy rules",
      description:
        "Replaces the rules as a whole. They hold from the next message on; what is stored already stays as it is until the operator runs `periscope privacy apply`, which brings it in line. All three lists are required, so that a mistyped name does not wipe one; send `[]` for none.",
      tags,
    },
    // What they replace is thrown away: not by a key that may not see it.
    scopes: ["read", "write"],
    needsEveryScope: true,
    budget: "sync",
    success: [{ status: 200, description: "The rules as they are stored.", body: StoredPrivacyRules }],
    body: PrivacyRules,
    refusesBoundKeys: true,
  })
    .input(PrivacyRulesBody)
    .output(StoredPrivacyRules)
    .mutation(({ ctx, input }) => replaceRules(ctx.services, ctx.principal.userId, input)),
};
