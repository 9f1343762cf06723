import type { Request, RequestHandler, Response } from "express";
import { z } from "zod";
import type { Deps } from "../deps.js";
import { exportUser, type OnProgress } from "../data/export.service.js";
import { badParameter } from "../domain-error.js";
import { noteFailure, toDomainError } from "../http/answers.js";
import { anonymousBodyBytesMax, readJsonBody } from "../http/input.js";
import { stateOf } from "../http/request-log.js";
import { readUpload, sendStream } from "../http/streaming.js";
import { inTime, ndjson, StreamedAnswer } from "../trpc/streamed-answer.js";
import { onlyOwner, requireSession, requireSignedInStill } from "./portal-trpc.js";

/** `/portal/export`: everything of the person, as the browser saves it. */
export function exportDownload(deps: Deps): RequestHandler {
  return deps.load.track(async (req, res) => {
    const session = await requireSession(deps, { req, res }, { route: "/portal/export", budget: "read" });
    deps.load.enter(res, session.userId);
    const lines = await exportUser(deps, session.userId, {}, { checkAllowed: () => requireSignedInStill(deps, req, session) });
    await sendStream(req, res, new StreamedAnswer(ndjson, lines, "periscope-export.ndjson"));
  });
}

/** `/portal/import`: takes an export, and answers how far it is. It ends with the connection. */
export function importUpload(deps: Deps): RequestHandler {
  return deps.load.track(async (req, res) => {
    const session = await requireSession(deps, { req, res }, { route: "/portal/import", budget: "batchSync" });
    deps.load.enter(res, session.userId);
    const gone = new AbortController();
    res.once("close", () => gone.abort());
    const checkAllowed = () => requireSignedInStill(deps, req, session);
    const how = { allowPartial: false, mayDelete: true, checkAllowed };
    const accepted = await deps.imports.accept(session.userId, readUpload(req, res), how);
    await sendProgress(req, res, (onProgress) => accepted.run(gone.signal, onProgress));
  });
}

/** Who is erased: without a user, the person; the owner can name another one. What confirms it is the email, or the id of the other. */
const EraseBody = z.object({ userId: z.string().max(128).optional(), confirm: z.string().max(320) });

/** `/portal/erase`: erases a user with everything that is theirs, and answers how far it is. It goes on when the connection ends. */
export function eraseUser(deps: Deps): RequestHandler {
  return deps.load.track(async (req, res) => {
    const session = await requireSession(deps, { req, res }, { route: "/portal/erase", budget: "delete" });
    deps.load.enter(res, session.userId);
    const { data: wanted } = EraseBody.safeParse(await readJsonBody(req, res, anonymousBodyBytesMax));
    if (!wanted) throw badParameter("confirm", "must be text, beside the id of a user at most");
    const { userId = session.userId, confirm } = wanted;
    if (userId === session.userId) {
      if (confirm.trim().toLowerCase() !== session.email.toLowerCase()) throw badParameter("confirm", "must be the email of your account");
    } else {
      if (!session.isOwner) throw onlyOwner();
      if (confirm !== userId) throw badParameter("confirm", "must be the id of the user");
    }
    await sendProgress(req, res, (onProgress) => deps.erasure.erase(userId, onProgress));
  });
}

/** How often progress is told, in milliseconds. */
const everyMs = 250;

type Run = (onProgress: OnProgress) => Promise<unknown>;

/**
 * Sends JSON lines: how far work is, as `done` of `total`, and at last what came of it, as `report`, or the `message` of its failure. The
 * work goes on when nobody reads them.
 */
async function sendProgress(req: Request, res: Response, run: Run): Promise<void> {
  let progress = { done: 0, total: 0 };
  // It begins before the answer does: a client that has left by now, or an answer that cannot be sent, must not keep it from running.
  const work = run((done, total) => void (progress = { done, total })).then(
    (report) => ({ report }),
    (error: unknown) => {
      const failure = toDomainError(error);
      noteFailure(stateOf(res), failure);
      return { message: failure.message };
    },
  );
  await sendStream(
    req,
    res,
    new StreamedAnswer(
      ndjson,
      linesOf(work, () => progress),
    ),
  );
}

async function* linesOf(work: Promise<object>, progress: () => object): AsyncGenerator<string> {
  for (;;) {
    const finished = await inTime(work, everyMs);
    yield `${JSON.stringify(finished?.value ?? progress())}\n`;
    if (finished) return;
  }
}
