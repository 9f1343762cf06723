import {
  DeleteAnswer,
  DeleteMany,
  EraseReceipt,
  EraseRequest,
  ExportLine,
  ExportQuery,
  ImportQuery,
  ImportReport,
  RetentionQuery,
  RetentionRules,
  StoredRetention,
} from "@periscope/schemas";
import { badParameter } from "../domain-error.js";
import { endpoint } from "../trpc/endpoint.js";
import { confirmDelete, previewDelete } from "./delete.service.js";
import { exportUser } from "./export.service.js";
import { getRetention, replaceRetention, RetentionBody } from "./retention.service.js";
import { ndjson, StreamedAnswer, streamedJson } from "../trpc/streamed-answer.js";

const tags = ["Data"];

export const dataProcedures = {
  deleteMany: endpoint({
    openapi: {
      method: "POST",
      path: "/context/delete",
      operationId: "deleteContexts",
      summary: "Delete many contexts",
      description:
        "Deletes the contexts that meet every condition, for ever. First send `dryRun: true`: the answer says how many match, and shows some. Then send the same conditions with `confirm`. If more match by then, nothing is deleted (`conflict`). A request that was cut off can be sent again: it goes on with what is left. A long one sends spaces first; if it fails after that, the connection ends without an answer.",
      tags: ["Contexts"],
    },
    scopes: ["delete"],
    budget: "delete",
    success: [{ status: 200, description: "What matches, or how many contexts were deleted.", body: DeleteAnswer }],
    errors: ["conflict"],
  })
    .input(DeleteMany)
    .mutation(async ({ ctx: { services, principal }, input: { where, dryRun, confirm } }) => {
      if (dryRun) return await streamedJson<DeleteAnswer>(previewDelete(services, principal, where));
      // What is refused is refused by a status, which must not have been sent by then.
      const confirmed = await confirmDelete(services, principal, where, confirm);
      return await streamedJson<DeleteAnswer>(confirmed.run());
    }),

  retention: endpoint({
    openapi: {
      method: "GET",
      path: "/data/retention",
      operationId: "getRetention",
      summary: "How long contexts are kept",
      description: "The user's retention rules, and what the operator has set.",
      tags,
    },
    scopes: ["read"],
    budget: "read",
    success: [{ status: 200, description: "The rules that hold.", body: StoredRetention }],
    refusesBoundKeys: true,
  })
    .input(RetentionQuery)
    .output(StoredRetention)
    .query(({ ctx }) => getRetention(ctx.services, ctx.principal.userId)),

  replaceRetention: endpoint({
    openapi: {
      method: "PUT",
      path: "/data/retention",
      operationId: "replaceRetention",
      summary: "Replace the retention rules",
      description:
        "Replaces the user's retention rules as a whole; send `[]` to keep everything, as far as the operator allows. The server applies them at its start and once an hour. What is past its time is deleted for ever.",
      tags,
    },
    // What they replace is thrown away, and what they let go is deleted.
    scopes: ["read", "delete"],
    needsEveryScope: true,
    budget: "delete",
    success: [{ status: 200, description: "The rules as they are stored.", body: StoredRetention }],
    body: RetentionRules,
    refusesBoundKeys: true,
  })
    .input(RetentionBody)
    .output(StoredRetention)
    .mutation(({ ctx, input }) => replaceRetention(ctx.services, ctx.principal.userId, input)),

  eraseData: endpoint({
    openapi: {
      method: "DELETE",
      path: "/data",
      operationId: "eraseData",
      summary: "Erase everything, with proof",
      description:
        "Erases the user: contexts, search index, replay records, rules, settings, and the keys last. Then the database is cleaned, and searched for the user's id and for 20 random strings of the deleted text. The answer is the receipt. It takes up to a minute for 100,000 contexts. A long erasure sends spaces first; if it fails after that, the connection ends without a receipt. If the connection is cut, the erasure continues: send the request again to get its receipt. Another server of the same database counts in it what was left by then. Once everything is deleted, its key is not accepted any more (`unauthorized`).",
      tags,
    },
    scopes: ["delete"],
    budget: "delete",
    success: [{ status: 200, description: "Everything is erased.", body: EraseReceipt }],
    body: EraseRequest,
    refusesBoundKeys: true,
  })
    .input(EraseRequest)
    .mutation(async ({ ctx, input }) => {
      const { userId } = ctx.principal;
      if (input.confirm !== userId) throw badParameter("confirm", "must be the id of the key's user, as GET /key answers it");
      return await streamedJson(ctx.services.erasure.erase(userId));
    }),

  exportData: endpoint({
    openapi: {
      method: "GET",
      path: "/data/export",
      operationId: "exportData",
      summary: "Export everything",
      description:
        "Streams everything that is stored of the user as JSON lines: a header, the contexts in the order of capture with their content, privacy rules, settings of extensions, and a last line with counts and the SHA-256 of everything before it. Sent with gzip to clients that accept it.\n\nTo go on after a download was cut off, remove an incomplete last line, and ask again with `after`: the `timestamp` and `contextId` of the last context, with a comma between. Send the SHA-256 of what you have as `sha256`, and append the answer: an import then checks both parts. Contexts that change during an export are in it as they were before or after. One whose `capturedAt` changes meanwhile can be in it twice, or not at all.",
      tags,
    },
    scopes: ["read"],
    budget: "read",
    success: [{ status: 200, description: "One JSON object a line.", body: ExportLine, type: ndjson }],
    refusesBoundKeys: true,
  })
    .input(ExportQuery)
    .query(async ({ ctx, input }) => {
      const { services, principal } = ctx;
      const checkAllowed = () => services.access.requireValid(principal.keyId);
      const lines = await exportUser(services, principal.userId, input, { checkAllowed });
      return new StreamedAnswer(ndjson, lines, "periscope-export.ndjson");
    }),

  importData: endpoint({
    openapi: {
      method: "POST",
      path: "/data/import",
      operationId: "importData",
      summary: "Import an export",
      description:
        "Takes what an export answered, also packed by gzip, for the user of the key. An export that was cut off or changed is refused before anything is stored, unless `allowPartial` is `true`.\n\nEvery context passes the present privacy filter. Ids and times are kept, and of two states of a context the newer one stays, so that sending an import again changes nothing. Contexts that were deleted here after they were written stay deleted. Privacy rules and retention rules are taken over if the user has none; retention rules also need the scope `delete`. While a long import runs, the answer begins with spaces.",
      tags,
    },
    scopes: ["write"],
    budget: "batchSync",
    success: [{ status: 200, description: "What was imported, and what was not.", body: ImportReport }],
    body: ExportLine,
    bodyType: ndjson,
    refusesBoundKeys: true,
  })
    .input(ImportQuery)
    .mutation(async ({ ctx, input }) => {
      const { services, principal, upload, signal } = ctx;
      if (!upload) throw new Error("an import came without a request");
      const accepted = await services.imports.accept(principal.userId, upload(), {
        allowPartial: input.allowPartial === "true",
        mayDelete: principal.scopes.has("delete"),
        checkAllowed: () => services.access.requireValid(principal.keyId),
      });
      return await streamedJson(accepted.run(signal));
    }),
};
