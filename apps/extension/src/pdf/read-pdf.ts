import type { PageText } from "@periscope/sync/background";
import { limits } from "@periscope/schemas";
// The other build of pdf.js needs Chrome 145 or Firefox 144.
import { getDocument, GlobalWorkerOptions } from "pdfjs-dist/legacy/build/pdf.mjs";

const bytesMax = 64 * 1_048_576;
/** Milliseconds for the download, and for the text. */
const [downloadMs, readMs] = [60_000, 20_000];

/**
 * The text of a PDF, page by page, with its title and author; undefined when the address is not a PDF, or one of more than 64 MiB. Pages after the first 1 MiB
 * of text or the first 20 s are left out, and it says so.
 * @param fileOf addresses of files of the extension
 * @throws what `fetch` and pdf.js throw: no connection, no PDF, a password
 */
export async function readPdf(url: string, fileOf: (path: string) => string): Promise<PageText | undefined> {
  const data = await download(url);
  if (data === undefined) return undefined;
  GlobalWorkerOptions.workerSrc = fileOf("pdf/pdf.worker.min.mjs");
  const loading = getDocument({ data, cMapUrl: fileOf("pdf/cmaps/"), disableFontFace: true, useWasm: false, verbosity: 0 });
  try {
    const document = await loading.promise;
    const { info } = (await document.getMetadata()) as { info: { Title?: string; Author?: string } };
    const deadline = performance.now() + readMs;
    const pages: string[] = [];
    let units = 0;
    for (let number = 1; number <= document.numPages && units < limits.contentBytesMax && performance.now() < deadline; number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
      pages.push(text.trim());
      units += text.length;
      page.cleanup();
    }
    const isTruncated = pages.length < document.numPages;
    return {
      content: pages.join("\n\n").trim(),
      contentFormat: "text",
      ...(info.Title && { title: info.Title }),
      metadata: { pages: document.numPages, ...(info.Author && { byline: info.Author }), ...(isTruncated && { truncated: true }) },
    };
  } finally {
    await loading.destroy();
  }
}

async function download(url: string): Promise<Uint8Array | undefined> {
  const signal = AbortSignal.timeout(downloadMs);
  // As the person who opened it, and not from a site to which it would lead now.
  const headers = { Accept: "application/pdf" };
  const response = await fetch(url, { credentials: "include", cache: "no-cache", redirect: "error", headers, signal });
  const isPdf = response.ok && response.headers.get("Content-Type")?.startsWith("application/pdf") === true;
  if (!isPdf || response.body === null || Number(response.headers.get("Content-Length") ?? 0) > bytesMax) {
    await response.body?.cancel();
    return undefined;
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  // Streams can be iterated only from Chrome 124 on.
  const reader = response.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bytes += next.value.length;
    chunks.push(next.value);
    if (bytes <= bytesMax) continue;
    await reader.cancel();
    return undefined;
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
