import { benchDocuments } from "../service/documents.ts";
import { documentMessage } from "../service/document-message.ts";
import { closedLoop } from "./closed-loop.ts";
import { serveJobs } from "./job-process.ts";
import type { LoadJob } from "./load-job.ts";
import { messageTemplate, MessageStream, type MessageTemplate } from "./message-stream.ts";
import { requestBytes } from "./request-bytes.ts";

let templates: MessageTemplate[] | undefined;

serveJobs((job: LoadJob) => closedLoop(job, requestsOf(job)));

function requestsOf({ plan, port, key }: LoadJob): () => Uint8Array {
  if (plan.kind === "read") {
    const requests = plan.paths.map((path) => requestBytes({ method: "GET", path, port, key }));
    let turn = 0;
    return () => requests[turn++ % requests.length] ?? Buffer.alloc(0);
  }
  templates ??= benchDocuments().map((document) => messageTemplate(documentMessage(document)));
  const stream = new MessageStream({ ...plan, port, key, templates });
  return () => stream.next();
}
