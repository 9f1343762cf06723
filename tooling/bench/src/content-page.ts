import { Readability } from "@mozilla/readability";
import { createCapture } from "@periscope/sync/content";
import defuddle from "defuddle/full";

// Runs in the pages of the benchmark `content`, as the global `program`.

// By its types the class is a property of the module. The module itself is the class.
const Defuddle = defuddle as unknown as typeof defuddle.default;

/** What a side made of a page: as Markdown, as HTML to be drawn and read, or as text. */
export interface Extracted {
  markdown?: string;
  html?: string;
  text?: string;
  ms: number;
}

const program = {
  async capture(whole = false): Promise<Extracted> {
    const sendMessage = async (request: unknown) => {
      const { capture } = request as { capture: { contextId: string; url: string; title: string } & Record<string, unknown> };
      const { contextId: id, ...context } = capture;
      const tabMetadata = { id: "7", url: capture.url, title: capture.title };
      const message = { type: "create", payload: { context: { ...context, id, tabId: "7", tabMetadata } } };
      // What a background answers whose filter removes nothing.
      return { periscope: 1, ok: true, value: { keep: true, message, reasons: [], redactions: {} } };
    };
    document.body.getBoundingClientRect();
    const preview = await createCapture({ host: { apis: () => ({ runtime: { id: "bench", sendMessage } }) } }).explain({
      type: "page",
      whole,
    });
    if (preview.status !== "ready") throw new Error(`The capture is ${preview.status}.`);
    return { markdown: preview.context.content ?? "", ms: preview.ms };
  },

  innerText: () => timed(() => ({ text: document.body.innerText })),

  readability: () => timed(() => ({ html: new Readability(document.cloneNode(true) as Document).parse()?.content ?? "" })),

  defuddle() {
    const extracted = timed(() => ({
      html: new Defuddle(document.cloneNode(true) as Document, { url: document.URL }).parse().content ?? "",
    }));
    const written = new Defuddle(document, { url: document.URL, markdown: true }).parse();
    return { ...extracted, markdown: written.contentMarkdown ?? written.content };
  },
};

function timed<T extends object>(work: () => T): T & { ms: number } {
  document.body.getBoundingClientRect();
  const before = performance.now();
  const done = work();
  return { ...done, ms: performance.now() - before };
}

Object.assign(globalThis, { program });
