import type { PageText } from "@periscope/sync/background";
import type { ExtensionApi } from "../extension-api.js";
import { send } from "../messages.js";

/** Reads PDFs one after the other: in Chromium in an offscreen page, in Firefox here, where the background is a page. */
export function pdfReader({
  runtime,
  offscreen,
}: Pick<ExtensionApi, "runtime" | "offscreen">): (url: string) => Promise<PageText | undefined> {
  const isPage = (offscreen as typeof offscreen | undefined) === undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function readHere(url: string): Promise<PageText | undefined> {
    const { readPdf } = await import("../pdf/read-pdf.js");
    return await readPdf(url, (path) => runtime.getURL(path));
  }

  async function readOffscreen(url: string): Promise<PageText | undefined> {
    const justification = "Reads the text of a PDF that was opened.";
    // A page that an earlier worker left open serves as well.
    await offscreen.createDocument({ url: "pdf.html", reasons: ["WORKERS"], justification }).catch(() => {});
    try {
      return await send(runtime, "readPdf", { url });
    } finally {
      await offscreen.closeDocument().catch(() => {});
    }
  }

  return (url) => {
    const reading = last.then(() => (isPage ? readHere(url) : readOffscreen(url)));
    last = reading.catch(() => {});
    return reading;
  };
}
