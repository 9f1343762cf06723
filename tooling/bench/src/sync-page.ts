import { Readability } from "@mozilla/readability";
import { createCapture } from "@periscope/sync/content";
import { createQueue, idbStore } from "@periscope/sync/core";
import defuddle from "defuddle/full";

// Runs in the pages of the benchmarks `sync` and `content`, as the global `program`.

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
  /** Fills the page with an article of about so many elements. Returns how many there are. */
  fill(elements: number): number {
    const section = (index: number) =>
      `<section><h2>Chapter ${index}</h2><p>The <b>keeper</b> lights the <a href="/lamp">lamp</a> at <em>dusk</em>, and the lens throws its light far out.</p><ul><li>tide <code>${index}</code></li><li>wind</li></ul></section>`;
    document.body.innerHTML = `<main><article>${Array.from({ length: Math.ceil(elements / 11) }, (_, index) => section(index)).join("")}</article></main>`;
    return document.getElementsByTagName("*").length;
  },

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

  /** Enqueues messages of 1 KB, 50 at a time. Returns milliseconds. */
  async enqueue(baseUrl: string, messages: number): Promise<number> {
    const queue = queueFor(baseUrl);
    const content = "The keeper lights the lamp at dusk, and the lens throws its light far out. ".repeat(13);
    const tabMetadata = { id: "7", url: "https://example.com/keeper", title: "The keeper" };
    const before = performance.now();
    for (let sent = 0; sent < messages; sent += 50) {
      const some = Array.from({ length: Math.min(50, messages - sent) }, async () => {
        const context = { type: "page", tabId: "7", capturedAt: new Date().toISOString(), content, tabMetadata } as const;
        const { status } = await queue.enqueue({ type: "create", payload: { context } });
        if (status !== "queued") throw new Error(`A message is ${status}.`);
      });
      await Promise.all(some);
    }
    return performance.now() - before;
  },

  /** Sends until nothing waits. Returns milliseconds. */
  async drain(baseUrl: string): Promise<number> {
    const queue = queueFor(baseUrl);
    const before = performance.now();
    for (;;) {
      const { endedBy } = await queue.flush({ deadlineMs: 60_000 });
      if (endedBy === "empty") return performance.now() - before;
      if (endedBy !== "deadline") throw new Error(`The flush ended by ${endedBy}.`);
    }
  },
};

function queueFor(baseUrl: string) {
  const limits = { items: 1_000_000, bytes: 2 ** 31 };
  return createQueue({ baseUrl, apiKey: "bench", filter: (message) => ({ keep: true, message }), store: idbStore(), limits });
}

function timed<T extends object>(work: () => T): T & { ms: number } {
  document.body.getBoundingClientRect();
  const before = performance.now();
  const done = work();
  return { ...done, ms: performance.now() - before };
}

Object.assign(globalThis, { program });
