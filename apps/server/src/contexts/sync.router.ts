import { BatchEnvelope, BatchResult, SyncAnswer, SyncMessage, SyncResult, UncheckedBatch } from "@periscope/schemas";
import { z } from "zod";
import { endpoint } from "../trpc/endpoint.js";

const tags = ["Sync"];

export const syncProcedures = {
  sync: endpoint({
    openapi: {
      method: "POST",
      path: "/context/sync",
      operationId: "syncContext",
      summary: "Sync one message",
      description:
        "Takes one message; what it carries is filtered for privacy before it is stored. Sending the same message again changes nothing and answers `duplicate: true`. A message of type `batch` is answered 207.",
      tags,
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
      tags,
    },
    scopes: ["write", "delete"],
    budget: "batchSync",
    success: [{ status: 207, description: "The batch was processed; read each entry of `results`.", body: BatchResult }],
    errors: [],
    body: BatchEnvelope,
  })
    .input(UncheckedBatch)
    .output(BatchResult)
    .mutation(({ ctx, input }) => ctx.services.sync.batch(ctx.principal, input)),
};
