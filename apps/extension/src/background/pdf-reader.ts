import type { PageText } from "@periscope/sync/background";
import type { ExtensionApi } from "../extension-api.js";
import { send } from "../messages.js";

/** Reads PDFs one after the other: in Chromium in a page that nobody sees, which is there meanwhile; in Firefox here, where the background is a page. */
export function pdfReader({
  runtime,
  offscreen,
}: Pick<ExtensionApi, "runtime" | "offscreen">): (url: string) => Promise<PageText | undefined> {
  if ((offscreen as typeof offscreen | undefined) === undefined)
    return async (url) => await (await import("../pdf/read-pdf.js")).readPdf(url, (path) => runtime.getURL(path));
  let last: Promise<unknown> = Promise.resolve();

  async function read(url: string): Promise<PageText | undefined> {
    const justification = "Reads the text of a PDF that was opened.";
    // One that a worker left when it was ended is as good.
    await offscreen.createDocument({ url: "pdf.html", reasons: ["WORKERS"], justification }).catch(() => {});
    try {
      return await send(runtime, "readPdf", { url });
    } finally {
      await offscreen.closeDocument().catch(() => {});
    }
  }

  return (url) => {
    const reading = last.then(() => read(url));
    last = reading.catch(() => {});
    return reading;
  };
}
