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
 * @param userId the person whom the page shows, whose data it becomes
 */
export function importFile(file: File, userId: string, onProgress: (progress: ImportProgress) => void): Promise<ImportReport> {
  const request = new XMLHttpRequest();
  const { promise, resolve, reject } = Promise.withResolvers<ImportReport>();
  request.upload.addEventListener("progress", ({ loaded }) => onProgress({ phase: "sending", done: loaded, total: file.size }));
  request.addEventListener("progress", () => {
    const { done = 0, total } = lastLine(request);
    if (total) onProgress({ phase: "storing", done, total });
  });
  request.addEventListener("loadend", () => {
    const { report, message } = lastLine(request);
    if (report) resolve(report);
    else reject(new Error(message ?? "The connection broke off. Send the file again: what is stored already stays as it is."));
  });
  request.open("POST", "/portal/import");
  request.setRequestHeader("X-Periscope-User", userId);
  request.setRequestHeader("Content-Type", file.name.endsWith(".gz") ? "application/gzip" : "application/x-ndjson");
  request.send(file);
  return promise;
}

/** The last whole line of what has arrived: progress, the report, or an error of the server. */
function lastLine({ responseText }: XMLHttpRequest): { done?: number; total?: number; report?: ImportReport; message?: string } {
  const line = responseText
    .slice(0, responseText.endsWith("}") ? undefined : responseText.lastIndexOf("\n"))
    .trimEnd()
    .split("\n")
    .at(-1);
  try {
    return JSON.parse(line ?? "") as ReturnType<typeof lastLine>;
  } catch {
    // A proxy may answer anything.
    return {};
  }
}
