import { Readability } from "@mozilla/readability";
import { createCapture } from "@periscope/sync/content";
import defuddle from "defuddle/full";
import { answerExplain } from "../sync/page-program.ts";

// By its types the class is a property of the module, which it is itself.
const Defuddle = defuddle as unknown as typeof defuddle.default;

/** What each side makes of a page. */
export interface Extracted {
  markdown?: string;
  /** What has no markdown is compared as the text that a browser draws of it. */
  html?: string;
  text?: string;
  ms: number;
}

/** What runs in the pages of the benchmark, in a world of its own. */
const program = {
  async capture(whole: boolean): Promise<Extracted> {
    const apis = () => ({ runtime: { id: "bench", sendMessage: answerExplain } });
    const preview = await createCapture({ host: { apis } }).explain({ type: "page", whole });
    if (preview.status !== "ready") throw new Error(`The capture is ${preview.status}.`);
    return { markdown: preview.context.content ?? "", ms: preview.ms };
  },
  innerText: () => timed(() => ({ text: document.body.innerText })),
  readability: () => timed(() => ({ html: new Readability(document.cloneNode(true) as Document).parse()?.content ?? "" })),
  defuddle: () => {
    const { html, ms } = timed(() => ({ html: new Defuddle(document.cloneNode(true) as Document, { url: document.URL }).parse().content }));
    const written = new Defuddle(document, { url: document.URL, markdown: true }).parse();
    return { html: html ?? "", markdown: written.contentMarkdown ?? written.content, ms };
  },
};

function timed<T extends object>(work: () => T): T & { ms: number } {
  const before = performance.now();
  const done = work();
  return { ...done, ms: performance.now() - before };
}

Object.assign(globalThis, { program });
