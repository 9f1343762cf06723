import {
  BatchEnvelope,
  BatchResult,
  Context,
  CurrentQuery,
  DeleteQuery,
  GetQuery,
  HistoryPage,
  HistoryQuery,
  SyncAnswer,
  SyncMessage,
  SyncResult,
  UncheckedBatch,
} from "@periscope/schemas";
import { z } from "zod";
import { endpoint } from "../trpc/endpoint.js";
import { getCurrentContext, getContext, listHistory, removeContext } from "./context.service.js";

const tags = ["Contexts"];

export const contextProcedures = {
  current: endpoint({
    openapi: {
      method: "GET",
      path: "/context/current",
      operationId: "getCurrentContext",
      summary: "What the person looks at",
      description:
        "The context that was viewed last, whole: captured in the active tab, or named by a heartbeat. Where nothing was viewed, the newest by capture time. With `tabId` or `extensionId`, that of one tab or extension instance.",
      tags,
    },
    scopes: ["read"],
    budget: "read",
    success: [{ status: 200, description: "The context, with its content.", body: Context }],
    errors: ["not_found"],
  })
    .input(CurrentQuery)
    .output(Context)
    .query(({ ctx, input }) => getCurrentContext(ctx.services, ctx.principal, input)),

  history: endpoint({
    openapi: {
      method: "GET",
      path: "/context/history",
      operationId: "listContextHistory",
      summary: "The user's contexts, newest first",
      description:
        "Ordered by capture time descending, then context id. `since` is inclusive, `until` exclusive. Page with `offset`, or with `cursor` at constant cost.",
      tags,
    },
    scopes: ["read"],
    budget: "read",
    success: [{ status: 200, description: "A page of history, without content.", body: HistoryPage }],
  })
    .input(HistoryQuery)
    .output(HistoryPage)
    .query(({ ctx, input }) => listHistory(ctx.services, ctx.principal, input)),

  get: endpoint({
    openapi: {
      method: "GET",
      path: "/context/{contextId}",
      operationId: "getContext",
      summary: "One context by its id",
      description: "The context, whole or in parts of `maxChars`. Another user's context is not found.",
      tags,
    },
    scopes: ["read"],
    budget: "read",
    success: [{ status: 200, description: "The context, with its content.", body: Context }],
    errors: ["not_found"],
  })
    .input(GetQuery)
    .output(Context)
    .query(({ ctx, input }) => getContext(ctx.services, ctx.principal, input)),

  remove: endpoint({
    openapi: {
      method: "DELETE",
      path: "/context/{contextId}",
      operationId: "deleteContext",
      summary: "Delete one context permanently",
      description: "This cannot be undone. Only the user's own contexts can be deleted.",
      tags,
    },
    scopes: ["delete"],
    budget: "delete",
    success: [{ status: 204, description: "Deleted.", body: null }],
    errors: ["not_found"],
  })
    .input(DeleteQuery)
    .output(z.void())
    .mutation(({ ctx, input }) => removeContext(ctx.services, ctx.principal, input.contextId)),
};

const syncTags = ["Sync"];

export const syncProcedures = {
  sync: endpoint({
    openapi: {
      method: "POST",
      path: "/context/sync",
      operationId: "syncContext",
      summary: "Sync one message",
      description:
        "Takes one message; what it carries is filtered for privacy before it is stored. Sending the same message again changes nothing and answers `duplicate: true`. A message of type `batch` is answered 207; it takes one from the budget `batch-sync` besides the one from `sync`.",
      tags: syncTags,
    },
    scopes: ["write", "delete"],
    budget: "sync",
    success: [
      { status: 201, description: "The message took effect.", body: SyncResult },
      { status: 207, description: "A `batch` message was processed; read each entry of `results`.", body: BatchResult },
    ],
    errors: ["message_id_reused", "privacy_rejected", "not_found"],
    body: SyncMessage,
  })
    .input(z.record(z.string(), z.unknown(), "must be a JSON object"))
    .output(SyncAnswer)
    .mutation(async ({ ctx, input }) => {
      if (input["type"] !== "batch") return ctx.services.sync.single(ctx.principal, input);
      await ctx.spend("batchSync");
      ctx.setStatus(207);
      return ctx.services.sync.batchMessage(ctx.principal, input);
    }),

  batchSync: endpoint({
    openapi: {
      method: "POST",
      path: "/context/batch-sync",
      operationId: "batchSyncContexts",
      summary: "Sync up to 100 messages",
      description: "Messages take effect in order, each on its own: `results[i]` tells what became of message `i`.",
      tags: syncTags,
    },
    scopes: ["write", "delete"],
    budget: "batchSync",
    success: [{ status: 207, description: "The batch was processed; read each entry of `results`.", body: BatchResult }],
    body: BatchEnvelope,
  })
    .input(UncheckedBatch)
    .output(BatchResult)
    .mutation(({ ctx, input }) => ctx.services.sync.batch(ctx.principal, input)),
};
