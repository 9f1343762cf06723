import type { ImportReport } from "@periscope/schemas";

/** How far an import is: bytes that were sent, then contexts that were stored. */
export interface ImportProgress {
  phase: "sending" | "storing";
  done: number;
  total: number;
}

/**
 * Sends an export to the server and waits until it is stored. Rejects with what to tell the person. By XMLHttpRequest, since `fetch` does
 * not tell how much was sent.
 */
export function importFile(file: File, onProgress: (progress: ImportProgress) => void): Promise<ImportReport> {
  const request = new XMLHttpRequest();
  const { promise, resolve, reject } = Promise.withResolvers<ImportReport>();
  request.upload.onprogress = ({ loaded }) => onProgress({ phase: "sending", done: loaded, total: file.size });
  request.onprogress = () => {
    const line = request.responseText.slice(0, request.responseText.lastIndexOf("\n")).split("\n").at(-1) ?? "";
    const told = request.status === 200 && line !== "" ? (JSON.parse(line) as { done?: number; total?: number }) : {};
    if (told.total) onProgress({ phase: "storing", done: told.done ?? 0, total: told.total });
  };
  request.onload = () => {
    const answer = JSON.parse(request.responseText.trimEnd().split("\n").at(-1) ?? "{}") as { report?: ImportReport; message?: string };
    if (answer.report) resolve(answer.report);
    else reject(new Error(answer.message ?? "The import did not end. Send the file again: it goes on where it stopped."));
  };
  request.onerror = () => reject(new Error("The connection broke off. Send the file again: it goes on where it stopped."));
  request.open("POST", "/portal/import");
  request.setRequestHeader("Content-Type", file.name.endsWith(".gz") ? "application/gzip" : "application/x-ndjson");
  request.send(file);
  return promise;
}
