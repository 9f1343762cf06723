import { closedLoop, type LoadResult, type LoadTarget } from "../../load/closed-loop.ts";
import { serveJobs } from "../../load/job-process.ts";
import { requestHead } from "../../load/request-bytes.ts";
import { ScaleDocuments } from "../documents/scale-documents.ts";
import { readSourceText } from "../documents/source-text.ts";
import { batchBody } from "./batch-body.ts";

/** Batches to send, each once. */
export interface IngestJob extends Omit<LoadTarget, "requests"> {
  batches: ReadonlyArray<{ key: string; first: number; document: number }>;
  batchSize: number;
  /** Capture time of context 0, milliseconds since the epoch. */
  epoch: number;
}

let documents: ScaleDocuments | undefined;

function work(job: IngestJob): Promise<LoadResult> {
  const source = (documents ??= new ScaleDocuments(readSourceText()));
  let turn = 0;
  return closedLoop({ ...job, requests: job.batches.length }, () => {
    const batch = job.batches[turn++];
    if (batch === undefined) throw new Error("There is no batch left.");
    const texts = Array.from({ length: job.batchSize }, (_, index) => source.document(batch.document + index));
    const body = batchBody(texts, batch.first, job.epoch);
    const head = requestHead({ method: "POST", path: "/api/v1/context/batch-sync", port: job.port, key: batch.key }, body.length);
    return Buffer.concat([head, body]);
  });
}

serveJobs(work);
