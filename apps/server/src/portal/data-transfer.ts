import type { RequestHandler } from "express";
import type { Deps } from "../deps.js";
import { stateOf } from "../http/request-log.js";
import { readUpload, sendStream } from "../http/streaming.js";
import { ndjson, StreamedAnswer } from "../trpc/streamed-answer.js";
import { requireSession } from "./require-session.js";

/** `/portal/export`: everything of the person, as the browser saves it. */
export function exportDownload(deps: Deps): RequestHandler {
  return deps.load.track(async (req, res) => {
    stateOf(res).route = "/portal/export";
    const { userId } = await requireSession(deps, { req, res }, "read");
    deps.load.enter(res, userId);
    await sendStream(req, res, new StreamedAnswer(ndjson, await deps.exports.ofUser(userId), "periscope-export.ndjson"));
  });
}

/** `/portal/import`: takes an export. The answer is JSON lines: how far it is, as `done` of `total`, and at last the `report`. */
export function importUpload(deps: Deps): RequestHandler {
  return deps.load.track(async (req, res) => {
    stateOf(res).route = "/portal/import";
    const { userId } = await requireSession(deps, { req, res }, "batchSync");
    deps.load.enter(res, userId);
    const gone = new AbortController();
    res.once("close", () => gone.abort());
    const accepted = await deps.imports.accept(userId, readUpload(req, res), { allowPartial: false });
    await sendStream(
      req,
      res,
      new StreamedAnswer(
        ndjson,
        progressOf((onProgress) => accepted.run(gone.signal, onProgress)),
      ),
    );
  });
}

/** How often progress is told, in milliseconds. */
const everyMs = 250;

/** Lines that tell how far work is, and what came of it. */
async function* progressOf<Report>(run: (onProgress: (done: number, total: number) => void) => Promise<Report>): AsyncGenerator<string> {
  let progress = { done: 0, total: 0 };
  const work = run((done, total) => void (progress = { done, total }));
  // Where nobody reads the answer, nobody hears of a failure.
  work.catch(() => {});
  for (;;) {
    const timer = Promise.withResolvers<undefined>();
    const timeout = setTimeout(() => timer.resolve(undefined), everyMs);
    const finished = await Promise.race([work.then((report) => ({ report })), timer.promise]).finally(() => clearTimeout(timeout));
    yield `${JSON.stringify(finished ?? progress)}\n`;
    if (finished) return;
  }
}
