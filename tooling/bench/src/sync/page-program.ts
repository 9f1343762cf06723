import { Readability } from "@mozilla/readability";
import { createCapture } from "@periscope/sync/content";
import { createQueue, idbStore } from "@periscope/sync/core";

/** Milliseconds that each side took of the page's time, and units of text that it got. */
export interface CaptureTimes {
  capture: number;
  innerText: number;
  readability: number;
  readBy: string;
  isTruncated: boolean;
  chars: { capture: number; innerText: number; readability: number };
}

export type Side = "capture" | "innerText" | "readability";

/** What runs in the page of the benchmark. */
export const program = {
  /** Fills the page with an article of about so many elements, and lays it out. */
  fill(elements: number): number {
    const section = (index: number) =>
      `<section><h2>Chapter ${index}</h2><p>The <b>keeper</b> lights the <a href="/lamp">lamp</a> at <em>dusk</em>, and the lens throws its light far out.</p><ul><li>tide <code>${index}</code></li><li>wind</li></ul></section>`;
    document.body.innerHTML = `<main><article>${Array.from({ length: Math.ceil(elements / 11) }, (_, index) => section(index)).join("")}</article></main>`;
    document.body.getBoundingClientRect();
    return document.getElementsByTagName("*").length;
  },

  /** One measurement of each side on the same page, in the order given. */
  async measure(order: readonly Side[]): Promise<CaptureTimes> {
    const times: CaptureTimes = {
      capture: NaN,
      innerText: NaN,
      readability: NaN,
      readBy: "",
      isTruncated: false,
      chars: { capture: 0, innerText: 0, readability: 0 },
    };
    for (const side of order) {
      // What another side left to be laid out is not this one's.
      document.body.getBoundingClientRect();
      if (side === "capture") {
        const apis = () => ({ runtime: { id: "bench", sendMessage: answerExplain } });
        const preview = await createCapture({ host: { apis } }).explain();
        if (preview.status !== "ready") throw new Error(`The capture is ${preview.status}.`);
        times.capture = preview.ms;
        times.readBy = preview.readBy;
        times.isTruncated = preview.isTruncated;
        times.chars.capture = preview.context.content?.length ?? 0;
      } else {
        const before = performance.now();
        const text =
          side === "innerText" ? document.body.innerText : new Readability(document.cloneNode(true) as Document).parse()?.textContent;
        times[side] = performance.now() - before;
        times.chars[side] = text?.length ?? 0;
      }
    }
    return times;
  },

  /** A queue in IndexedDB, and messages for it. */
  queueOf(baseUrl: string) {
    return createQueue({
      baseUrl,
      apiKey: "bench",
      filter: (message) => ({ keep: true, message }),
      store: idbStore(),
      limits: { items: 1_000_000, bytes: 2 ** 31 },
    });
  },

  /** Enqueues messages one after the other, 50 at a time; milliseconds. */
  async enqueue(baseUrl: string, messages: number): Promise<number> {
    const queue = program.queueOf(baseUrl);
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

  /** Sends until nothing waits; milliseconds and what was sent. */
  async drain(baseUrl: string): Promise<{ ms: number; synced: number; requests: number }> {
    const before = performance.now();
    let synced = 0;
    let requests = 0;
    for (;;) {
      const report = await program.queueOf(baseUrl).flush({ deadlineMs: 60_000 });
      synced += report.synced;
      requests += report.requests;
      if (report.endedBy === "empty") return { ms: performance.now() - before, synced, requests };
      if (report.endedBy !== "deadline") throw new Error(`The flush ended by ${report.endedBy}.`);
    }
  },
};

export type Program = typeof program;

/** Answers a preview as a background does whose filter removes nothing. */
export async function answerExplain(request: unknown): Promise<unknown> {
  const { capture } = request as { capture: { contextId: string; url: string; title: string } & Record<string, unknown> };
  const { contextId: id, ...context } = capture;
  const tabMetadata = { id: "7", url: capture.url, title: capture.title };
  const message = { type: "create", payload: { context: { ...context, id, tabId: "7", tabMetadata } } };
  return { periscope: 1, ok: true, value: { keep: true, message, reasons: [], redactions: {} } };
}
